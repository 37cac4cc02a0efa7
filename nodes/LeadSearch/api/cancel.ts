/** Ends waits and requests if the execution is cancelled. */

/** The time for which a cancelled run still waits for responses in flight. The service charges for them anyway. */
export const LAST_RESPONSES_MS = 5_000;

/**
 * Waits until a promise is settled or the signal aborts. An abort ends only the wait: the work behind the promise
 * continues. A rejection of the promise is passed on.
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

/** Returns a signal that aborts {@link LAST_RESPONSES_MS} milliseconds after the cancel signal. */
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
