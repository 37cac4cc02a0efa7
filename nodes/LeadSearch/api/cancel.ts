/** What a cancel of the execution ends, and when. */

/** So long a cancelled run waits for answers that are on their way, in milliseconds: they are charged all the same. */
export const LAST_RESPONSES_MS = 5_000;

/** Resolves with what is waited for, or at a cancel. */
export async function waitOrCancel(
	awaited: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<void> {
	const over = new AbortController();
	const cancelled = new Promise<unknown>((resolve) => {
		if (signal?.aborted) resolve(undefined);
		signal?.addEventListener('abort', resolve, { signal: over.signal });
	});
	await Promise.race([awaited, cancelled]);
	over.abort();
}

/** @returns a signal that comes when there has been time for what was on its way when the other came */
export function abortAfterLastResponses(cancelSignal: AbortSignal | undefined): AbortSignal {
	const abandoned = new AbortController();
	const abandon = () => {
		abandoned.abort();
	};
	const abandonLater = () => {
		AbortSignal.timeout(LAST_RESPONSES_MS).addEventListener('abort', abandon);
	};
	cancelSignal?.addEventListener('abort', abandonLater, { once: true });
	return abandoned.signal;
}
