/** What a run that throws leaves in the execution's data, for n8n's Retry in another process or later. */
import type { FactName } from '../paging/ledger';
import type { Belonging } from './belonging';
import type { Snapshot } from './memory';

/** The most that is left, in bytes of memory. */
const MAX_BYTES = 20_000_000;

const CONTEXT_KEY = 'paidResults';

/** The name of what an answer has contradicted: a Retry asks again. */
export const BROKEN = 'broken';

/** A snapshot that a run goes on from and adds to. */
export interface UsedSnapshot {
	snapshot: Snapshot;
	/** Of the facts that are the run's own, in a list, since a set of 100,000 takes several times as long to fill. */
	names: FactName[];
}

/** A snapshot, as far as the run wants it. */
interface RetrySnapshot extends Omit<Snapshot, 'facts'> {
	key: string;
	facts: Array<readonly [name: FactName, fact: unknown]>;
}

interface RetryData {
	/** Since when what was paid for is reused by the execution, and so by its Retry. */
	reusesFrom: number;
	snapshots: RetrySnapshot[];
}

/** As many facts as there is room for. */
export function* fitting(used: ReadonlyMap<string, UsedSnapshot>): Iterable<RetrySnapshot> {
	let room = MAX_BYTES;
	for (const [key, { snapshot, names }] of used) {
		const facts: RetrySnapshot['facts'] = [];
		const each = snapshot.bytes / snapshot.facts.size || 0;
		for (const name of new Set(names)) {
			const fact = name === BROKEN ? undefined : snapshot.facts.get(name);
			if (fact === undefined) continue;
			room -= each;
			if (room >= 0) facts.push([name, fact]);
		}
		yield { ...snapshot, bytes: each * facts.length, key, facts };
	}
}

/** Leaves them where n8n keeps data with an execution. */
export function leaveForRetry(
	{ keptByN8n: data, beginning }: Pick<Belonging, 'keptByN8n' | 'beginning'>,
	used: ReadonlyMap<string, UsedSnapshot>,
): void {
	const retryData: RetryData = { reusesFrom: beginning.reusesFrom, snapshots: [...fitting(used)] };
	if (data) data[CONTEXT_KEY] = JSON.stringify(retryData);
}

/** @returns what the execution before has left; it is there no more */
export function takeLeft({ keptByN8n: data }: Pick<Belonging, 'keptByN8n'>): RetryData | undefined {
	const text: unknown = data?.[CONTEXT_KEY];
	if (data) Reflect.deleteProperty(data, CONTEXT_KEY);
	return typeof text === 'string' ? (JSON.parse(text) as RetryData) : undefined;
}
