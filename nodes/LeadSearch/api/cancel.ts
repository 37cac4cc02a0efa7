/** Ends waits and requests if the execution is cancelled. */

/** How long a cancelled run waits for responses in flight, in milliseconds: they are charged anyway. */
export const LAST_RESPONSES_MS = 5_000;

/** Waits until a promise resolves or the signal aborts. The promise itself isn't ended. */
export async function waitOrCancel(
	awaited: Promise<unknown>,
	signal: AbortSignal | undefined,
): Promise<void> {
	const listener = new AbortController();
	const cancelled = new Promise<unknown>((resolve) => {
		if (signal?.aborted) resolve(undefined);
		signal?.addEventListener('abort', resolve, { signal: listener.signal });
	});
	await Promise.race([awaited, cancelled]);
	listener.abort();
}

/** Returns a signal that aborts after the cancel signal, when responses in flight have had time to arrive. */
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
