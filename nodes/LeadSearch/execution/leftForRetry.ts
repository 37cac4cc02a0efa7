/** What a run that throws leaves in the execution's data, for n8n's Retry in another process or later. */
import type { Belonging } from './belonging';
import type { Kept } from './reuse';

/** The most text that is left, in bytes. */
const MAX_BYTES = 20_000_000;

const CONTEXT_KEY = 'paidResults';

/** A list as JSON, with what is known of it. */
export interface KeptText {
	facts: Kept;
	text: Buffer;
}

type Saved = Kept & { text: string };

/** Leaves as many lists as there is room for, where n8n keeps data with an execution. */
export function leaveForRetry(
	{ keptByN8n: data }: Pick<Belonging, 'keptByN8n'>,
	all: readonly KeptText[],
): void {
	let room = MAX_BYTES;
	const left: Saved[] = [];
	for (const { facts, text } of all) {
		if (text.length > room) continue;
		room -= text.length;
		left.push({ ...facts, text: text.toString() });
	}
	if (data && left.length > 0) data[CONTEXT_KEY] = JSON.stringify(left);
}

/** @returns what the execution before has left; it is there no more */
export function takeLeft({ keptByN8n: data }: Pick<Belonging, 'keptByN8n'>): KeptText[] {
	if (!data) return [];
	const left: unknown = data[CONTEXT_KEY];
	Reflect.deleteProperty(data, CONTEXT_KEY);
	if (typeof left !== 'string') return [];
	return (JSON.parse(left) as Saved[]).map(({ text, ...facts }) => {
		return { facts, text: Buffer.from(text) };
	});
}
