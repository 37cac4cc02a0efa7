/**
 * Lists that go on from what was paid for. What an account has paid for is not bought again by whatever runs in this n8n,
 * as long as it was paid for since the execution, or the execution that it retries, began, or within Reuse Paid Results. A
 * search is handed on whole, as old as its last purchase, for a day at most after its first; each profile by itself.
 */
import type { Json } from '../api/contract';
import type { Failure } from '../api/failures';
import type { Kept as KeptRows } from '../messages/stoppedRun';
import { LeadList, type LeadFacts, type PollPosition, type RowRange } from '../paging/leadList';
import type { Ledger } from '../paging/ledger';
import { ProfileList } from '../paging/profileList';
import { Repetition } from '../paging/repetition';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import type { Lists } from '../resources/operation';
import { leaveForRetry, MOST_FOR_RETRY, takeLeft, type Used } from './leftForRetry';
import { handIn, takeBack } from './losses';
import { DAY_MS, PaidMemory, type Kept } from './memory';
import type { Run } from './runResult';

const memory = new PaidMemory(64_000_000);

/** What answers contradicted, by execution and list: nothing more is requested of it there, for whomever. */
const contradictions = new Map<string, Failure>();

/** What costs nothing goes on from nothing. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** A list that the run works with. */
interface Source {
	ledger: Ledger;
	/** What tells it from others. */
	key: string;
	/** Takes in what may be reused. */
	recall: () => void;
	/** Keeps what has come. */
	keep: () => void;
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
	private readonly used = new Map<string, Used>();
	/** Whether there was no room for all rows of a search. */
	private isShort = false;

	constructor(private readonly run: PaidRun) {}

	/** @param from where a poll is */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[], from?: PollPosition): LeadList {
		const list = from ? LeadList.from(from) : new LeadList();
		list.hasRaw = hasRaw;
		const key = this.keyOf(id);
		this.claims.add(key);
		this.sources.push({
			...{ ledger: list, key },
			recall: () => {
				const [best] = this.young<LeadFacts>(key)
					// Rows with `raw` serve those who want none, too.
					.filter(({ value }) => value.hasRaw || !hasRaw)
					.sort((a, b) => placesIn(b.value, ranges).length - placesIn(a.value, ranges).length);
				if (!best) return;
				this.use(key, best, ranges);
				list.resume(from ? ownOf(best.value, ranges) : best.value, ranges);
			},
			keep: () => {
				if (!list.isAnswered) return;
				const { facts } = list;
				const used = this.used.get(key) ?? this.use(key, this.begin(facts), ranges);
				const kept = used.kept as Kept<LeadFacts>;
				const { cells, repetition } = kept.value;
				if (from) for (const [row, lead] of facts.cells) cells.set(row, lead);
				if (from) repetition.add(facts.cells.values());
				kept.value = from ? { ...facts, cells, repetition } : facts;
				// It may be of a list that has changed since: it is for this execution and its Retry alone.
				if (list.broken) kept.onlyFor = this.run.belonging.executionId;
				this.add(key, kept, list);
			},
		});
		return list;
	}

	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList {
		const list = new ProfileList(PROFILE_URLS);
		const key = this.keyOf(id);
		const keyOf = (url: string) => `${key} ${url}`;
		for (const url of urls) this.claims.add(keyOf(url));
		this.sources.push({
			...{ ledger: list, key },
			recall: () => {
				for (const url of urls) {
					const [kept] = this.young<readonly Json[]>(keyOf(url));
					if (!kept) continue;
					this.use(keyOf(url), kept);
					list.recall(
						url,
						kept.value.filter((row) => !withEmail || row.has_email !== false),
					);
				}
			},
			keep: () => {
				for (const [url, rows] of list.news()) {
					const { kept } = this.used.get(keyOf(url)) ?? this.use(keyOf(url), this.begin(rows));
					kept.value = rows;
					this.add(keyOf(url), kept, list);
				}
			},
		});
		return list;
	}

	/** When the first was paid for of what the run works with; undefined for nothing. */
	get reusedFrom(): number | undefined {
		const times = Array.from(this.used.values(), ({ kept }) => kept.first);
		return times.sort((a, b) => a - b)[0];
	}

	/** Whether what the run has is kept. */
	get kept(): KeptRows {
		const { belonging, settings } = this.run;
		const reuseMs = settings.reusePaidResults * 60_000;
		const now = Date.now();
		let [until, bytes, isWhole] = [now + reuseMs, 0, !this.isShort];
		for (const { kept } of this.used.values()) {
			const { first, last, onlyFor } = kept;
			until = onlyFor === undefined ? Math.min(until, last + reuseMs, first + DAY_MS) : now;
			bytes += kept.bytes;
			isWhole &&= memory.has(kept);
		}
		const hasRetry = belonging.hasRetry && reuseMs > 0;
		// No more than is left, but for the moment that the run has taken since.
		const minutes = Math.max(0, Math.floor((until - now + 5_000) / 60_000));
		return { isWhole: isWhole && !(hasRetry && bytes > MOST_FOR_RETRY), minutes, hasRetry };
	}

	/** Takes in what was paid for. */
	recall(): void {
		const { api } = this.run;
		this.takeInLeft();
		for (const { ledger, key, recall } of this.sources) {
			handIn(ledger, api.baseUrl, api.endpoint);
			recall();
			ledger.broken = contradictions.get(this.ownKeyOf(key));
		}
	}

	/** Keeps what the run has paid for. */
	keep(): void {
		const { api } = this.run;
		for (const { ledger, key, keep } of this.sources) {
			keep();
			takeBack(ledger, api.baseUrl, api.endpoint);
			if (ledger.broken) contradictions.set(this.ownKeyOf(key), ledger.broken);
		}
		for (const oldest of contradictions.keys())
			if (contradictions.size > 1_000) contradictions.delete(oldest);
	}

	/** Leaves it in the execution's data, too. */
	leaveForRetry(): void {
		const { belonging, settings } = this.run;
		if (settings.reusePaidResults > 0) leaveForRetry(belonging, this.used);
	}

	/** Takes in what the retried execution has left, unless more is there. */
	private takeInLeft(): void {
		const { executionId, beginning } = this.run.belonging;
		const left = takeLeft(this.run.belonging);
		if (!left) return;
		beginning.reusesFrom = Math.min(beginning.reusesFrom, left.reusesFrom);
		for (const { key, ...kept } of left.all) {
			const hasAll = this.young(key).some(
				(newer) => newer.last >= kept.last && isWithin(kept.value, newer.value),
			);
			if (hasAll) continue;
			if (kept.onlyFor !== undefined) kept.onlyFor = executionId;
			// What was used is young enough, whenever the first of it was paid for.
			kept.first = Math.max(kept.first, beginning.reusesFrom);
			memory.use(key, kept);
		}
	}

	/** What tells a list from others: whose account it is, and what is requested. */
	private keyOf(id: unknown): string {
		const { api } = this.run;
		return digest([api.baseUrl, api.account, id]);
	}

	private ownKeyOf(key: string): string {
		return `${this.run.belonging.executionId} ${key}`;
	}

	/** Whose the lists are that the run begins: with Reuse Paid Results at 0 they are its execution's alone. */
	private get owner(): string | undefined {
		const { belonging, settings } = this.run;
		return settings.reusePaidResults === 0 ? belonging.executionId : undefined;
	}

	/** What was paid for and is young enough, the newest first; where the execution has some of its own, that alone. */
	private young<Value>(key: string): Array<Kept<Value>> {
		const { executionId, beginning } = this.run.belonging;
		const now = Date.now();
		const since = Math.min(beginning.reusesFrom, now - this.run.settings.reusePaidResults * 60_000);
		const youngAt = (onlyFor?: string) =>
			memory
				.at<Value>(key, onlyFor)
				.filter(({ first, last }) => last >= since && first >= Math.min(since, now - DAY_MS))
				.sort((a, b) => b.last - a.last);
		const own = youngAt(executionId);
		return own.length > 0 ? own : youngAt(this.owner);
	}

	private begin<Value>(value: Value): Kept<Value> {
		const now = Date.now();
		return { value, bytes: 0, first: now, last: now, onlyFor: this.owner };
	}

	/** Notes that the run works with it. @param ranges the rows that are wanted of a search */
	private use(key: string, kept: Kept<unknown>, ranges?: readonly RowRange[]): Used {
		const used = { kept, ranges };
		this.used.set(key, used);
		memory.use(key, kept);
		// What an execution has used once, it and its Retry may use to their end.
		const { beginning } = this.run.belonging;
		beginning.reusesFrom = Math.min(beginning.reusesFrom, kept.last);
		return used;
	}

	/** Notes that something was added to it. */
	private add(key: string, kept: Kept<unknown>, list: Ledger): void {
		const { charged } = list.cost;
		if (charged > 0) kept.last = Date.now();
		if (list instanceof LeadList) {
			kept.bytes += list.bytes;
			list.bytes = 0;
			if (kept.bytes > memory.maxBytes) {
				shorten(kept as Kept<LeadFacts>, list);
				this.isShort = true;
			}
		} else kept.bytes = list.bytes / charged;
		memory.use(key, kept);
	}
}

/** The rows that are there of those that are wanted, by place. */
function placesIn({ cells, lastRow }: LeadFacts, ranges: readonly RowRange[]): number[] {
	const places: number[] = [];
	for (const [from, to] of ranges)
		for (let row = from; row < Math.min(to, lastRow + 1); row++)
			if (cells.has(row)) places.push(row);
	return places;
}

/** What a poll goes on from: the rows that it wants alone, since its own place says where the list may end. */
function ownOf(facts: LeadFacts, ranges: readonly RowRange[]): LeadFacts {
	const cells = new Map<number, Json>();
	for (const row of placesIn(facts, ranges)) cells.set(row, facts.cells.get(row) ?? {});
	const repetition = new Repetition(cells.values());
	return { ...facts, cells, repetition, straysByText: new Map(), end: undefined };
}

/** Leaves of a search that is too large its first rows; those that go may come again. */
function shorten(kept: Kept<LeadFacts>, list: LeadList): void {
	const { cells, lastRow } = kept.value;
	const each = kept.bytes / cells.size;
	for (let row = lastRow; row >= 0 && kept.bytes > memory.maxBytes; row--)
		if (cells.delete(row)) kept.bytes -= each;
	kept.value.repetition = list.repetition = new Repetition(cells.values());
}

/** Whether all rows of a search are in another; a profile is whole. */
function isWithin(value: unknown, other: unknown): boolean {
	if (Array.isArray(value)) return true;
	const { cells, hasRaw } = value as LeadFacts;
	const more = other as LeadFacts;
	return (more.hasRaw || !hasRaw) && [...cells.keys()].every((row) => more.cells.has(row));
}
