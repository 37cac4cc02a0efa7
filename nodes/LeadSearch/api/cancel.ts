/** Ends waits and requests if the execution is cancelled. */

/**
 * The time that a cancelled run waits for responses in flight, in milliseconds. These responses are charged anyway.
 */
export const LAST_RESPONSES_MS = 5_000;

/**
 * Waits until a promise resolves or the signal aborts. An abort ends only the wait: the promise's own work continues.
 */
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

/**
 * Returns a signal that aborts {@link LAST_RESPONSES_MS} after the cancel signal, so that responses in flight can
 * still arrive.
 */
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
