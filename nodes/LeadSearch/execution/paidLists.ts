/**
 * Lists that go on from what was paid for. What an account has paid for is not bought again by whatever runs in this n8n,
 * as long as it was paid for since the execution, or the execution that it retries, began, or within Reuse Paid Results. A
 * search is one snapshot, as old as its last purchase, and reused for a day at most after its first; each profile is one of
 * its own.
 */
import type { Kept } from '../messages/stoppedRun';
import { LeadList, type PollPosition, type RowRange } from '../paging/leadList';
import type { FactName, Ledger } from '../paging/ledger';
import { ProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import { BROKEN, fitting, leaveForRetry, takeLeft, type UsedSnapshot } from './leftForRetry';
import { handIn, takeBack } from './losses';
import { DAY_MS, PaidMemory, type Snapshot } from './memory';
import type { Run } from './runResult';

const memory = new PaidMemory(64_000_000);

/** What costs nothing goes on from nothing. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** A list that the run works with. */
interface Source {
	ledger: Ledger;
	/** Under which it is told that an answer contradicted it. */
	key: string;
	/** Where a fact is: the key of its snapshot, and its name there. */
	place: (name: FactName) => readonly [key: string, name: FactName];
	/** Takes in what may be reused. */
	recall: () => void;
}

/** What a run has to do with what was paid for. */
export type PaidRun = Pick<Run, 'api' | 'settings'> & {
	belonging: Pick<Run['belonging'], 'beginning' | 'executionId' | 'hasRetry' | 'keptByN8n'>;
};

export class PaidLists implements Lists {
	/** Searches, and profiles: runs that want one of the same go one after another. */
	readonly claims = new Set<string>();
	private readonly sources: Source[] = [];
	/** By key. */
	private readonly used = new Map<string, UsedSnapshot>();

	constructor(private readonly run: PaidRun) {}

	/** @param from where a poll is */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[], from?: PollPosition): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		const key = this.keyOf(id);
		this.claims.add(key);
		const best = () =>
			this.young(key)
				.map((snapshot) => ({ snapshot, count: countIn(snapshot, ranges, hasRaw) }))
				.sort((a, b) => b.count - a.count)[0];
		const place = (name: FactName) => [key, hasRaw ? withRaw(name) : name] as const;
		this.sources.push({
			...{ ledger: list, key, place },
			recall: () => {
				const snapshot = best()?.snapshot;
				if (snapshot) this.workWith(key, snapshot);
				list.recall(ranges, (name) => {
					// Rows with `raw` serve those who want none, too.
					const fact = this.read(...place(name)) ?? this.read(key, withRaw(name));
					// A poll takes what has a place alone, and knows by its own where the list may end.
					return fact && from && name === 'about' ? { ...fact, strays: [], end: undefined } : fact;
				});
			},
		});
		return list;
	}

	profiles(id: unknown, urls: ReadonlySet<string>): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		const keyOf = (name: FactName) => `${key} ${name}`;
		for (const url of urls) this.claims.add(keyOf(url));
		const place = (name: FactName) => [keyOf(name), name] as const;
		this.sources.push({
			...{ ledger: list, key, place },
			recall: () => list.recall(urls, (name) => this.read(...place(name))),
		});
		return list;
	}

	/** When the first was paid for of what the run works with; undefined for nothing. */
	get reusedFrom(): number | undefined {
		const times = [...this.used.values()].map(({ snapshot }) => snapshot.first);
		return times.sort((a, b) => a - b)[0];
	}

	/** How much is kept of what the run has. */
	get kept(): Kept {
		const { belonging, settings } = this.run;
		const { reusePaidResults } = settings;
		const now = Date.now();
		let [all, inMemory, until] = [0, 0, now + reusePaidResults * 60_000];
		for (const { snapshot, names } of this.used.values()) {
			const rows = [...new Set(names)].filter(isRow);
			if (rows.length === 0) continue;
			const { first, last, onlyFor } = snapshot;
			until = Math.min(until, last + reusePaidResults * 60_000, first + DAY_MS);
			if (onlyFor !== undefined) until = now;
			all += rows.length;
			if (memory.has(snapshot)) inMemory += rows.filter((name) => snapshot.facts.has(name)).length;
		}
		// No more than is left, but for the moment that the run has taken since.
		const minutes = Math.max(0, Math.floor((until - now + 5_000) / 60_000));
		const left = belonging.hasRetry && reusePaidResults > 0 ? [...fitting(this.used)] : undefined;
		const forRetry = left?.flatMap(({ facts }) => facts).filter(([name]) => isRow(name)).length;
		return { all, inMemory, minutes, forRetry };
	}

	/** Takes in what was paid for. */
	recall(): void {
		const { api } = this.run;
		this.takeInLeft();
		for (const source of this.sources) {
			const { ledger, key, recall } = source;
			handIn(ledger, api.baseUrl, api.endpoint);
			recall();
			// In its execution, nothing more is requested of a list that an answer contradicted.
			ledger.broken = this.read(key, BROKEN) as Ledger['broken'];
		}
	}

	/** Keeps what has come since, before anything is thrown. */
	keepSoFar(): void {
		for (const { ledger, place } of this.sources)
			for (const [name, value] of ledger.news()) this.write(place(name), value, ledger);
	}

	/** Keeps what the run has paid for. @param isThrown whether n8n's Retry is to find it in the execution's data */
	keep(isThrown: boolean): void {
		const { belonging, settings, api } = this.run;
		this.keepSoFar();
		for (const { ledger, key, place } of this.sources) {
			takeBack(ledger, api.baseUrl, api.endpoint);
			if (ledger instanceof ProfileList) this.keepOwnerless(ledger, place);
			// It may be of a list that has changed since: it is for this execution and its Retry alone.
			if (!ledger.broken) continue;
			const broken = this.write([key, BROKEN], ledger.broken);
			broken.onlyFor = belonging.executionId;
			memory.use(key, broken);
		}
		if (isThrown && settings.reusePaidResults > 0) leaveForRetry(belonging, this.used);
	}

	/** Rows whose owner is not found yet are for those who are wanted; what others know of them may be newer. */
	private keepOwnerless(list: ProfileList, place: Source['place']): void {
		for (const [name, value] of list.searches())
			if ('rows' in value || this.claims.has(place(name)[0])) this.write(place(name), value, list);
	}

	/** Takes in what the retried execution has left, unless more is there. */
	private takeInLeft(): void {
		const { executionId, beginning } = this.run.belonging;
		const retryData = takeLeft(this.run.belonging);
		if (!retryData) return;
		beginning.reusesFrom = Math.min(beginning.reusesFrom, retryData.reusesFrom);
		for (const { key, facts, onlyFor, ...times } of retryData.snapshots) {
			const hasAll = this.young(key).some(
				(newer) => newer.last >= times.last && facts.every(([name]) => newer.facts.has(name)),
			);
			if (hasAll) continue;
			const owner = onlyFor === undefined ? {} : { onlyFor: executionId };
			// What was used is young enough, whenever the first of it was paid for.
			const first = Math.max(times.first, beginning.reusesFrom);
			memory.use(key, { ...times, ...owner, first, facts: new Map(facts) });
		}
	}

	/** What tells a list from others: whose account it is, and what is requested. */
	private keyOf(id: unknown): string {
		const { api } = this.run;
		return digest([api.baseUrl, api.account, id]);
	}

	/** Whose the lists are that the run begins: with Reuse Paid Results at 0 they are its execution's alone. */
	private get owner(): string | undefined {
		const { belonging, settings } = this.run;
		return settings.reusePaidResults === 0 ? belonging.executionId : undefined;
	}

	/** What was paid for and is young enough, the newest first; where the execution has some of its own, that alone. */
	private young(key: string): Snapshot[] {
		const { executionId, beginning } = this.run.belonging;
		const now = Date.now();
		const since = Math.min(beginning.reusesFrom, now - this.run.settings.reusePaidResults * 60_000);
		const youngAt = (onlyFor?: string) =>
			memory
				.at(key, onlyFor)
				.filter(({ first, last }) => last >= since && first >= Math.min(since, now - DAY_MS))
				.sort((a, b) => b.last - a.last);
		const own = youngAt(executionId);
		return own.length > 0 ? own : youngAt(this.owner);
	}

	private read(key: string, name: FactName): unknown {
		const used = this.used.get(key);
		const [snapshot] = used ? [used.snapshot] : this.young(key);
		const fact = snapshot?.facts.get(name);
		if (!snapshot || fact === undefined) return undefined;
		(used ?? this.workWith(key, snapshot)).names.push(name);
		return fact;
	}

	/** @param list that has paid for it; none for what costs nothing */
	private write([key, name]: ReturnType<Source['place']>, value: unknown, list?: Ledger): Snapshot {
		const { snapshot, names } = this.used.get(key) ?? this.workWith(key, this.begin());
		names.push(name);
		const fact = snapshot.facts.get(name);
		const isNew = fact === undefined || JSON.stringify(fact) !== JSON.stringify(value);
		if (!isNew && memory.has(snapshot)) return snapshot;
		memory.put(key, snapshot, [name, value], list && isRow(name) ? list.bytesARow : 0);
		if (list && list.cost.charged > 0) snapshot.last = Date.now();
		return snapshot;
	}

	private begin(): Snapshot {
		const now = Date.now();
		return { facts: new Map(), bytes: 0, first: now, last: now, onlyFor: this.owner };
	}

	private workWith(key: string, snapshot: Snapshot): UsedSnapshot {
		const used = { snapshot, names: [] };
		this.used.set(key, used);
		memory.use(key, snapshot);
		// What an execution has used once, it and its Retry may use to their end.
		const { beginning } = this.run.belonging;
		beginning.reusesFrom = Math.min(beginning.reusesFrom, snapshot.last);
		return used;
	}
}

/** How many of the rows that are wanted are there. */
function countIn({ facts }: Snapshot, ranges: readonly RowRange[], hasRaw: boolean): number {
	const { lastRow = -1 } = (facts.get('about') ?? {}) as { lastRow?: number };
	let count = 0;
	for (const [from, to] of ranges)
		for (let row = from; row < Math.min(to, lastRow + 1); row++)
			if ((!hasRaw && facts.has(row)) || facts.has(withRaw(row))) count += 1;
	return count;
}

/** The name of a row that came with its field `raw`. */
function withRaw(name: FactName): FactName {
	return name === 'about' ? name : `${name} raw`;
}

/** Whether a fact is a row, or the rows of a profile. */
function isRow(name: FactName): boolean {
	return (
		typeof name === 'number' || !(name === 'about' || name === BROKEN || name.startsWith('search '))
	);
}
