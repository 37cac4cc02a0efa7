/**
 * Remembers which leads this process has handed to n8n. With durable cursors, n8n reads the cursor
 * before a poll waits for its turn, and saves it after the poll: of several polls that are due at the
 * same time, each would find the cursor of before the first one, and pay for its leads again.
 */
import type { Cursor } from './cursor';

/** What saving takes at most: n8n gives the whole poll 45 seconds. Polls are a minute apart. */
const SAVING_MS = 60_000;

type HandedOver = Pick<Cursor, 'fingerprint' | 'revision'> & { at: number };

const latest = new Map<string, HandedOver>();

/**
 * @param key of workflow and node
 * @param now milliseconds since 1970
 */
export function noteHandover(key: string, { fingerprint, revision }: Cursor, now: number): void {
	latest.set(key, { fingerprint, revision, at: now });
}

/** Whether a cursor is one of before the leads that were just handed over. */
export function isBeforeHandover(
	key: string,
	{ fingerprint, revision }: Cursor,
	now: number,
): boolean {
	const last = latest.get(key);
	return (
		last?.fingerprint === fingerprint && last.revision > revision && now - last.at < SAVING_MS
	);
}
