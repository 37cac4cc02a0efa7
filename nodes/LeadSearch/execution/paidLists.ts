/**
 * Lists that go on from what was paid for, which is kept in n8n's memory: by the same execution always; by a
 * run of the same node that stopped part-way, or by any where runs are trials, within Reuse Paid Results.
 */
import { LeadList, type RowRange } from '../paging/leadList';
import type { Ledger } from '../paging/ledger';
import { ProfileList, type SavedProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { PROFILE_URLS } from '../resources/linkedInProfile/linkedInUrl';
import { rowsOf, type Lists } from '../resources/operation';
import { handIn, takeBack } from './losses';
import type { KeptText } from './leftForRetry';
import { choose, reusable, type Kept, type Wanted } from './reuse';
import type { Ended, Run } from './runResult';
import { asKept, asSavedLeads, asSavedProfiles } from './savedBefore';
import { TextStore, writeJson } from './textStore';

/** The most that is kept, in bytes. */
const MAX_BYTES = 64_000_000;
/** Rows of a run that went well, beyond which nothing is kept unless such runs are reused. */
const MAX_ROWS_KEPT = 5_000;
/** The longest Reuse Paid Results, in milliseconds: what is older is nobody's. */
const LONGEST_MS = 86_400_000;

const store = new TextStore<Kept>(MAX_BYTES);

/** What costs nothing goes on from nothing. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(PROFILE_URLS),
};

/** A list that the run works with, and what it went on from. */
interface Source {
	wanted: Wanted;
	ledger: Ledger;
	from: readonly Kept[];
	/** When the first of what other executions have paid for was; undefined for nothing. */
	takenFrom: number | undefined;
}

export class PaidLists implements Lists {
	private readonly sources: Source[] = [];

	/** @param left what n8n's Retry brings along */
	constructor(
		private readonly run: Run,
		left: readonly KeptText[],
	) {
		const { executionId } = run.belonging;
		for (const { facts, text } of left) {
			const id = idOf(facts);
			// Where this process knows it, it knows too whether all of it has come out since.
			const known = store.facts.find((one) => idOf(one) === id) ?? asKept(facts);
			store.put(id, { ...known, broughtBy: executionId }, text);
		}
	}

	/** When the first of what is reused of other executions was paid for; undefined for nothing. */
	get reusedFrom(): number | undefined {
		return earliest(this.sources.map(({ takenFrom }) => takenFrom));
	}

	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): LeadList {
		const wanted = this.wantedOf(id, hasRaw, ranges);
		const list = new LeadList();
		const chosen = choose(store.facts, wanted);
		const saved = chosen && asSavedLeads(read(chosen));
		if (saved) list.restore(saved);
		this.begin(wanted, list, chosen ? [chosen] : []);
		return list;
	}

	/**
	 * Profiles have no order, so that all that is kept of them is put together: of other executions, what says
	 * something of those that are wanted. The rest stays as it is, and as old.
	 */
	profiles(id: unknown, urls: ReadonlySet<string>): ProfileList {
		const wanted = this.wantedOf(id, false, []);
		const { executionId } = wanted;
		const list = new ProfileList(PROFILE_URLS);
		const from: Kept[] = [];
		const all: SavedProfileList[] = [];
		// Of two rows of a profile, the one that was paid for last.
		const newestFirst = reusable(store.facts, wanted).sort(
			(one, other) => other.paidAt - one.paidAt,
		);
		for (const kept of newestFirst) {
			const saved = asSavedProfiles(read(kept));
			const isOwn = kept.executionId === executionId || kept.broughtBy === executionId;
			if (!saved || !(isOwn || isAbout(saved, urls))) continue;
			from.push(kept);
			all.push(saved);
		}
		if (all.length > 0) list.restore(putTogether(all));
		this.begin(wanted, list, from);
		return list;
	}

	/**
	 * Keeps what the run has paid for, as far as the memory goes.
	 *
	 * @param delivered its tasks; undefined where n8n does not pass on what they put out
	 * @returns what is kept for other executions
	 */
	keep(delivered: readonly Ended[] | undefined): KeptText[] {
		const { api } = this.run;
		const stopped: KeptText[] = [];
		const kept: KeptText[] = [];
		const now = Date.now();
		store.dropWhere(({ paidAt }) => paidAt < now - LONGEST_MS);
		for (const source of this.sources) {
			const { ledger, wanted, from, takenFrom } = source;
			const { key, executionId, hasRaw, reusesAll } = wanted;
			const { rows, cost, broken } = ledger;
			takeBack(ledger, api.baseUrl, api.endpoint);
			const stop = stopOf(source, delivered);
			const isStopped = stop !== undefined;
			const isKept = reusesAll || isStopped || cost.charged - cost.repeated <= MAX_ROWS_KEPT;
			const isWorth = rows > 0 || broken !== undefined;
			const text = isWorth && isKept ? writeJson(ledger.toJSON(), MAX_BYTES) : undefined;
			// The lists that it went on from are used up, or this one takes their place.
			if (text || !isStopped) for (const one of from) one.isStopped = false;
			if (!text) continue;
			// Where it is only for what stopped before, what this run has bought makes it no younger.
			const isOld = stop === 'before' && !wanted.reusesAll;
			const isNew = stop === 'failed' || (cost.charged > 0 && !isOld);
			const paidAt = isNew ? now : Math.max(0, ...from.map((one) => one.paidAt));
			const paidFrom = earliest(from.map((one) => one.paidFrom)) ?? now;
			const ranges = ledger instanceof LeadList ? ledger.ranges : [];
			const about = { key, executionId, hasRaw, ranges, broken };
			const facts = { ...about, isStopped, paidFrom, paidAt, takenFrom };
			(isStopped ? stopped : kept).push({ facts, text });
		}
		// What stopped is stored last, so that it is dropped last.
		for (const { facts, text } of [...kept, ...stopped]) store.put(idOf(facts), facts, text);
		return stopped;
	}

	private wantedOf(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): Wanted {
		const { belonging, api, settings } = this.run;
		const { reusePaidResults: minutes } = settings;
		const { owner, ownerInSubWorkflow, executionId } = belonging;
		const keyOf = (whose: readonly unknown[]) => digest([whose, api.baseUrl, api.account, id]);
		const inSubWorkflow = keyOf(ownerInSubWorkflow);
		const isRetryOfSubWorkflow = store.facts.some(
			({ key, broughtBy }) => broughtBy === executionId && key === inSubWorkflow,
		);
		return {
			key: isRetryOfSubWorkflow ? inSubWorkflow : keyOf(owner),
			executionId,
			hasRaw,
			ranges,
			reusesAll: belonging.reusesAll,
			since: minutes > 0 ? Date.now() - minutes * 60_000 : Infinity,
		};
	}

	private begin(wanted: Wanted, ledger: Ledger, from: readonly Kept[]): void {
		const { baseUrl, endpoint } = this.run.api;
		handIn(ledger, baseUrl, endpoint);
		const isOwn = ({ executionId }: Kept) => executionId === wanted.executionId;
		ledger.broken = from.find(isOwn)?.broken;
		const takenFrom = earliest(from.map((one) => (isOwn(one) ? one.takenFrom : one.paidFrom)));
		this.sources.push({ wanted, ledger, from, takenFrom });
	}
}

/**
 * An execution has failed, or was cancelled. What its runs have passed on may have got nowhere, so that others may go on
 * from all that it has paid for.
 */
export function letOthersGoOnFrom(executionId: string): void {
	for (const kept of store.facts) if (kept.executionId === executionId) kept.isStopped = true;
}

function earliest(times: ReadonlyArray<number | undefined>): number | undefined {
	const known = times.filter((time) => time !== undefined);
	return known.length > 0 ? Math.min(...known) : undefined;
}

/**
 * Why others may go on from a list after the run. 'failed': a task of it failed, or nothing was passed on, and it was
 * said how long the list is kept; 'now': it has rows that came out for nobody; 'before': a run before stopped, and not
 * all that it left has come out, which stays as old as it is; undefined where they may not.
 */
function stopOf(
	{ ledger, from }: Source,
	delivered: readonly Ended[] | undefined,
): 'failed' | 'now' | 'before' | undefined {
	if (!delivered) return 'failed';
	const own = delivered.filter(({ task }) => task.job.ledger === ledger);
	if (own.some(({ failure }) => failure)) return 'failed';
	if (own.some(({ missing }) => missing.unmatched?.length)) return 'now';
	if (!from.some(({ isStopped }) => isStopped)) return undefined;
	if (own.some(({ end }) => end === 'budget')) return 'now';
	return rowsOf(own).length < ledger.rows ? 'before' : undefined;
}

/** What is kept, as it was written by this version or the one before. */
function read(kept: Kept): unknown {
	const text = store.read(idOf(kept));
	return text === undefined ? undefined : JSON.parse(text);
}

/** Whether what is kept says something of any of these profiles. */
function isAbout({ cells, again, alone }: SavedProfileList, urls: ReadonlySet<string>): boolean {
	return [...cells.map(([url]) => url), ...again, ...alone].some((url) => urls.has(url));
}

/** A row wins over 'none'; of two rows, that of the first list; and an owner over a search for one. */
function putTogether(all: readonly SavedProfileList[]): SavedProfileList {
	const cells = all.flatMap((saved) => saved.cells).reverse();
	const rows = cells.filter(([, cell]) => cell !== 'none');
	const strays = all.flatMap((saved) => saved.strays);
	const owned = new Set(
		// Without strays, which is as a rule, it would take time for nothing.
		(strays.length > 0 ? rows : []).flatMap(([, cell]) =>
			cell === 'none' ? [] : cell.map((row) => JSON.stringify(row)),
		),
	);
	return {
		cells: [...new Map([...cells, ...rows])],
		strays: strays.filter((row) => !owned.has(JSON.stringify(row))),
		again: all.flatMap(({ again }) => again),
		alone: all.flatMap(({ alone }) => alone),
	};
}

/** Rows with `raw` and those without it are kept apart: they serve different runs. */
function idOf({ key, executionId, hasRaw }: Pick<Kept, 'key' | 'executionId' | 'hasRaw'>): string {
	return `${key} ${executionId} ${hasRaw}`;
}
