/**
 * Lists that go on from what was paid for, which is kept in n8n's memory: by the same execution always; by a
 * run of the same node that stopped part-way, or by any when run by hand, within Reuse Paid Results.
 */
import type { Ledger } from '../paging/ledger';
import { LeadList, type SavedLeadList } from '../paging/leadList';
import { ProfileList, type SavedProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { profileUrlOf } from '../resources/linkedInProfile/linkedInUrl';
import { rowsOf, type Lists } from '../resources/operation';
import type { KeptText } from './leftForRetry';
import { choose, reusable, type Kept, type Wanted } from './reuse';
import type { Ended, Run } from './runResult';
import { TextStore, writeJson } from './textStore';

/** The most text that is kept, in bytes. */
const MAX_BYTES = 64_000_000;
/** Rows of a run that went well, beyond which nothing is kept unless it is run by hand. */
const MAX_ROWS_KEPT = 5_000;

const store = new TextStore<Kept>(MAX_BYTES);

/** What costs nothing goes on from nothing. */
export const FREE_LISTS: Lists = {
	leads: () => new LeadList(false),
	profiles: () => new ProfileList(profileUrlOf),
};

/** A list that the run works with, and what it went on from. */
interface Source {
	wanted: Wanted;
	ledger: Ledger;
	from: readonly Kept[];
}

export class PaidLists implements Lists {
	private readonly sources: Source[] = [];
	private readonly texts = new Map<Ledger, Buffer | undefined>();
	/** When what is reused of other executions was paid for; undefined for nothing. */
	reusedFrom?: number;

	/** @param left what n8n's Retry brings along */
	constructor(
		private readonly run: Run,
		left: readonly KeptText[],
	) {
		for (const { facts, text } of left)
			store.put(idOf(facts), { ...facts, broughtBy: run.executionId }, text);
	}

	leads(id: unknown, hasRaw: boolean): LeadList {
		const wanted = this.wantedOf(id, hasRaw);
		const list = new LeadList();
		const chosen = choose(store.facts, wanted);
		const saved = chosen && (read(chosen) as SavedLeadList | undefined);
		const isOwn = chosen?.executionId === wanted.executionId;
		// What the service did wrong in another execution it may do right in this one.
		if (saved) list.restore(isOwn ? saved : { ...saved, broken: undefined });
		this.begin(wanted, list, chosen ? [chosen] : []);
		return list;
	}

	/**
	 * Profiles have no order, so that all that is kept of them is put together: of other executions, what says
	 * something of those that are wanted. The rest stays as it is, and as old.
	 */
	profiles(id: unknown, urls: ReadonlySet<string>): ProfileList {
		const wanted = this.wantedOf(id, false);
		const { executionId } = wanted;
		const list = new ProfileList(profileUrlOf);
		const from: Kept[] = [];
		const all: SavedProfileList[] = [];
		// Of two rows of a profile, the one that was paid for last.
		const newestFirst = reusable(store.facts, wanted).sort(
			(one, other) => other.paidAt - one.paidAt,
		);
		for (const kept of newestFirst) {
			const saved = read(kept) as SavedProfileList | undefined;
			const isOwn = kept.executionId === executionId || kept.broughtBy === executionId;
			if (!saved || !(isOwn || isAbout(saved, urls))) continue;
			from.push(kept);
			all.push(saved);
		}
		if (all.length > 0) list.restore(putTogether(all));
		this.begin(wanted, list, from);
		return list;
	}

	/** Whether all of these lists can be kept. */
	hasRoom(ledgers: Iterable<Ledger>): boolean {
		let bytes = 0;
		for (const ledger of new Set(ledgers)) bytes += this.textOf(ledger)?.length ?? Infinity;
		return bytes <= MAX_BYTES;
	}

	/**
	 * Keeps what the run has paid for.
	 *
	 * @param delivered its tasks; undefined where n8n does not pass on what they put out
	 * @returns what is kept for other executions
	 */
	keep(delivered: readonly Ended[] | undefined): KeptText[] {
		const { context, settings } = this.run;
		const isManual = context.getMode() === 'manual' || settings.reuseAfter === 'allRuns';
		const stopped: KeptText[] = [];
		const kept: KeptText[] = [];
		for (const source of this.sources) {
			const { ledger, wanted, from } = source;
			const { rows, restored, charged } = ledger;
			const stop = stopOf(source, delivered);
			const isStopped = stop !== undefined;
			const isKept = rows > 0 && (isManual || isStopped || rows - restored <= MAX_ROWS_KEPT);
			const text = isKept ? this.textOf(ledger) : undefined;
			// Others go on from this list from now on, or from none.
			if (text || !isStopped) for (const one of from) one.isStopped = false;
			if (!text) continue;
			const { key, executionId, hasRaw } = wanted;
			const isNew = charged > 0 && stop !== 'before';
			const paidAt = isNew ? Date.now() : Math.max(0, ...from.map((one) => one.paidAt));
			const facts = { key, executionId, hasRaw, isStopped, paidAt, rows };
			(isStopped ? stopped : kept).push({ facts, text });
		}
		// What was paid for in vain otherwise goes last.
		for (const { facts, text } of [...kept, ...stopped]) store.put(idOf(facts), facts, text);
		return stopped;
	}

	private wantedOf(id: unknown, hasRaw: boolean): Wanted {
		const { context, executionId, api, settings } = this.run;
		const { reusePaidResults: minutes } = settings;
		return {
			key: digest([context.getWorkflow().id, context.getNode().id, api.identity, id]),
			executionId,
			hasRaw,
			reusesAll: context.getMode() === 'manual' || settings.reuseAfter === 'allRuns',
			since: minutes > 0 ? Date.now() - minutes * 60_000 : Infinity,
		};
	}

	private begin(wanted: Wanted, ledger: Ledger, from: readonly Kept[]): void {
		this.sources.push({ wanted, ledger, from });
		if (from.every(({ executionId }) => executionId === wanted.executionId)) return;
		const paidAt = Math.max(...from.map((kept) => kept.paidAt));
		this.reusedFrom = Math.min(paidAt, this.reusedFrom ?? Infinity);
	}

	/** It is written once a run: it changes no more once all has come. */
	private textOf(ledger: Ledger): Buffer | undefined {
		if (!this.texts.has(ledger)) this.texts.set(ledger, writeJson(ledger.toJSON(), MAX_BYTES));
		return this.texts.get(ledger);
	}
}

/**
 * Why others may go on from a list after the run: it stopped, or a run before did and not all that is left over
 * has come out yet, which stays as old as it is; undefined where they may not.
 */
function stopOf(
	{ ledger, from }: Source,
	delivered: readonly Ended[] | undefined,
): 'now' | 'before' | undefined {
	if (!delivered) return 'now';
	const own = delivered.filter(({ task }) => task.job.ledger === ledger);
	if (own.some(({ failure }) => failure)) return 'now';
	if (!from.some(({ isStopped }) => isStopped)) return undefined;
	if (own.some(({ end }) => end === 'budget')) return 'now';
	return rowsOf(own).length < ledger.rows ? 'before' : undefined;
}

function read(kept: Kept): unknown {
	const text = store.read(idOf(kept));
	return text === undefined ? undefined : JSON.parse(text);
}

/** Whether what is kept says something of any of these profiles. */
function isAbout({ cells, doubts, strays }: SavedProfileList, urls: ReadonlySet<string>): boolean {
	const isWanted = (url: string) => urls.has(url);
	return (
		cells.some(([url]) => isWanted(url)) ||
		doubts.some(isWanted) ||
		strays.some(({ places }) => places.some(isWanted))
	);
}

/** A row that one run has paid for stays, whatever another one found there; else what the first says counts. */
function putTogether(all: readonly SavedProfileList[]): SavedProfileList {
	const cells = all.flatMap((saved) => saved.cells).reverse();
	const rows = cells.filter(([, cell]) => typeof cell === 'object');
	const known = new Map([...cells, ...rows]);
	const doubts = new Set(all.flatMap((saved) => saved.doubts));
	return {
		cells: [...known],
		strays: all.flatMap(({ strays }) => strays),
		doubts: [...doubts].filter((url) => !known.has(url)),
	};
}

/** Rows with `raw` and those without it are kept apart: they serve different runs. */
function idOf({ key, executionId, hasRaw }: Pick<Kept, 'key' | 'executionId' | 'hasRaw'>): string {
	return `${key} ${executionId} ${hasRaw}`;
}
