/**
 * Lists that go on from what was paid for. What an account has paid for is not bought again by whatever runs in this n8n,
 * as long as it was paid for since the execution, or the execution that it retries, began, or within Reuse Paid Results. A
 * search is handed on whole, with its end, and is as old as its first purchase; each profile is one of its own.
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
import { PaidMemory, type Kept } from './memory';
import type { Run } from './runResult';

const memory = new PaidMemory(64_000_000);

const MINUTE_MS = 60_000;

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
	/** Who buys, unless it is the execution that has begun. */
	buyer?: string;
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
				const [best] = this.fresh<LeadFacts>(key)
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
				const used = this.used.get(key) ?? this.use(key, this.begin(facts, list), ranges);
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
					const [kept] = this.fresh<readonly Json[]>(keyOf(url));
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
					const { kept } =
						this.used.get(keyOf(url)) ?? this.use(keyOf(url), this.begin(rows, list));
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
		const now = Date.now();
		// Ages are rounded, so that it is half a minute less.
		const freshMs = (settings.reusePaidResults - 0.5) * MINUTE_MS;
		let [until, bytes, isWhole] = [now + freshMs, 0, !this.isShort];
		for (const { kept } of this.used.values()) {
			until = kept.onlyFor === undefined ? Math.min(until, kept.first + freshMs) : now;
			bytes += kept.bytes;
			isWhole &&= memory.has(kept);
		}
		const hasRetry = belonging.hasRetry && settings.reusePaidResults > 0;
		const minutes = Math.max(0, Math.floor((until - now) / MINUTE_MS));
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
		if (settings.reusePaidResults > 0) leaveForRetry(belonging.keptByN8n, this.used);
	}

	/** Takes in what the retried execution has left, unless more is there. */
	private takeInLeft(): void {
		const { executionId, beginning, keptByN8n } = this.run.belonging;
		const buyers = new Set([beginning.id]);
		for (const { key, ...kept } of takeLeft(keptByN8n)) {
			const hasAll = this.fresh(key).some(
				(newer) => newer.first >= kept.first && isWithin(kept.value, newer.value),
			);
			if (hasAll) continue;
			if (kept.onlyFor !== undefined) kept.onlyFor = executionId;
			// What the execution before has used is good enough for its Retry, whenever it was paid for.
			memory.use(key, { ...kept, buyers });
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

	/** What was paid for and may be reused, the newest first; where the execution has some of its own, that alone. */
	private fresh<Value>(key: string): Array<Kept<Value>> {
		const { executionId, beginning } = this.run.belonging;
		const now = Date.now();
		const isBought = ({ first, buyers }: Kept<Value>) =>
			first >= beginning.at || buyers?.has(beginning.id) === true;
		// Rounded, so that a schedule never reuses what its own run before has bought.
		const isYoung = ({ first }: Kept<Value>) =>
			Math.round((now - first) / MINUTE_MS) < this.run.settings.reusePaidResults;
		const freshAt = (onlyFor?: string) =>
			memory
				.at<Value>(key, onlyFor)
				.filter((kept) => isBought(kept) || isYoung(kept))
				.sort((a, b) => b.first - a.first);
		const own = freshAt(executionId);
		return own.length > 0 ? own : freshAt(this.owner);
	}

	private begin<Value>(value: Value, { boughtAt }: Ledger): Kept<Value> {
		const now = Date.now();
		return { value, bytes: 0, first: boughtAt ?? now, onlyFor: this.owner };
	}

	/** Notes that the run works with it. @param ranges the rows that are wanted of a search */
	private use(key: string, kept: Kept<unknown>, ranges?: readonly RowRange[]): Used {
		const used = { kept, ranges };
		this.used.set(key, used);
		memory.use(key, kept);
		return used;
	}

	/** Notes that something was added to it. */
	private add(key: string, kept: Kept<unknown>, list: Ledger): void {
		const { charged } = list.cost;
		if (list instanceof LeadList) {
			const { belonging, buyer = belonging.beginning.id } = this.run;
			if (charged > 0) kept.buyers = (kept.buyers ?? new Set()).add(buyer);
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
