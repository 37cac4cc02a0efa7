/**
 * What was paid for, kept in n8n's memory so that it is not paid for again: by the same execution
 * always; by a run of the same node that stopped part-way, or by any when run by hand, within Reuse Paid
 * Results. A run that throws leaves it in the execution's data too, for a Retry elsewhere or later.
 */
import { ENDPOINTS } from '../api/contract';
import type { Ledger, SavedLedger } from '../paging/ledger';
import { LeadList } from '../paging/leadList';
import { ProfileList } from '../paging/profileList';
import { digest } from '../parameters/canonical';
import { profileUrlOf } from '../resources/linkedInProfile/linkedInUrl';
import { rowsOf, type Sources } from '../resources/operation';
import type { Ended, Run } from './run';

/** The most text that is kept, in bytes; what was used longest ago goes first. */
const MAX_BYTES = 64_000_000;
/** Rows of a run that went well, beyond which nothing is kept unless it is run by hand. */
const MAX_ROWS_KEPT = 5_000;
/** The most text that a run that throws leaves in the execution's data, in bytes. */
const MAX_LEFT_IN_EXECUTION = 20_000_000;

const CONTEXT_KEY = 'paidResults';

/** A ledger that was kept. */
interface Kept {
	key: string;
	/** The execution that paid, or that took it over from another. */
	executionId: string;
	hasRaw: boolean;
	/** Whether the run stopped part-way, so that others may go on from here. */
	isStopped: boolean;
	/** When something was paid for last, in milliseconds since 1970. */
	paidAt: number;
	/** As JSON in UTF-8: nothing outside can change it. */
	json: Buffer;
}

/** What a run that throws leaves in the execution's data. */
type Left = Omit<Kept, 'json'> & { text: string };

/** What is kept, in the order of its last use. */
const keptById = new Map<string, Kept>();
let keptBytes = 0;

/** A ledger that the run works with, what is kept of it, and what was kept of the same when the run began. */
type Source = Pick<Kept, 'key' | 'executionId' | 'hasRaw' | 'paidAt'> & {
	ledger: Ledger;
	before: readonly Kept[];
};

export class PaidResults implements Sources {
	private readonly sources: Source[] = [];
	private readonly isManual: boolean;
	private readonly costsCredits: boolean;
	/** When what is reused of other executions was paid for; undefined for nothing. */
	reusedFrom?: number;

	/** @param boughtBefore profiles that earlier executions bought, as normalised URLs */
	constructor(
		private readonly run: Run,
		private readonly boughtBefore: ReadonlySet<string>,
	) {
		this.isManual = run.context.getMode() === 'manual';
		this.costsCredits = ENDPOINTS[run.api.endpoint].costsCredits;
		const data = run.context.getContext('node');
		const left: unknown = data[CONTEXT_KEY];
		Reflect.deleteProperty(data, CONTEXT_KEY);
		if (typeof left !== 'string') return;
		for (const { text, ...kept } of JSON.parse(left) as Left[])
			put({ ...kept, json: Buffer.from(text) });
	}

	leads(id: unknown, hasRaw: boolean): LeadList {
		return this.restore(new LeadList(this.costsCredits), id, hasRaw);
	}

	profiles(id: unknown): ProfileList {
		return this.restore(new ProfileList(profileUrlOf), id, false);
	}

	/** By hand, what is kept comes out all the same, or a second Execute Step would show nothing. */
	leavesOut(url: string, profiles: ProfileList): boolean {
		const isShown = this.isManual && profiles.cells.has(url);
		return this.boughtBefore.has(url) && !isShown;
	}

	/**
	 * Keeps what the run has paid for. @returns whether there is room for all of what failed
	 *
	 * @param ended its tasks; none where n8n drops all that they put out, as of a run that throws
	 * @param isRunAgain whether n8n runs the node again in the same execution
	 */
	keep(ended?: readonly Ended[], isRunAgain = false): boolean {
		const failed: Kept[] = [];
		for (const { ledger, before, ...source } of this.sources) {
			const own = ended?.filter(({ task }) => task.job.ledger === ledger);
			const { rows } = ledger;
			const isFailed = own?.some(({ failure }) => failure) ?? true;
			const isCut = own?.some(({ end }) => end === 'budget');
			// Once all of it is put out, nobody goes on any more from where a run before it stopped.
			if (!isFailed && !isCut && rowsOf(own ?? []).length === rows)
				for (const kept of before) kept.isStopped = false;
			const isStopped = isFailed || keptById.get(idOf(source))?.isStopped === true;
			const isKept = this.isManual || isStopped || isRunAgain || rows <= MAX_ROWS_KEPT;
			if (rows === 0 || !isKept) continue;
			const paidAt = ledger.charged > 0 ? Date.now() : source.paidAt;
			const kept = { ...source, paidAt, isStopped, json: Buffer.from(JSON.stringify(ledger)) };
			put(kept);
			if (isFailed) failed.push(kept);
		}
		if (!ended && this.run.settings.reusePaidResults > 0) this.leaveInExecution(failed);
		return failed.every((kept) => keptById.has(idOf(kept)));
	}

	/** For a Retry in another process. */
	private leaveInExecution(all: Kept[]): void {
		let room = MAX_LEFT_IN_EXECUTION;
		const left: Left[] = [];
		for (const { json, ...facts } of all) {
			if (json.length > room) continue;
			room -= json.length;
			left.push({ ...facts, text: json.toString() });
		}
		const data = this.run.context.getContext('node');
		if (left.length > 0) data[CONTEXT_KEY] = JSON.stringify(left);
	}

	private restore<Kind extends Ledger>(ledger: Kind, id: unknown, hasRaw: boolean): Kind {
		const { context, executionId, api, settings } = this.run;
		const scope = [context.getWorkflow().id, context.getNode().id, api.identity, id];
		const key = digest(scope);
		const before = [...keptById.values()].filter((kept) => kept.key === key);
		const { reusePaidResults: minutes } = settings;
		const since = minutes > 0 ? Date.now() - minutes * 60_000 : Infinity;
		const isForOthers = (kept: Kept) => kept.paidAt > since && (this.isManual || kept.isStopped);
		const found = before.filter(
			(kept) => (kept.executionId === executionId || isForOthers(kept)) && (kept.hasRaw || !hasRaw),
		);
		for (const kept of found) {
			const saved = JSON.parse(kept.json.toString()) as SavedLedger<unknown>;
			// What the service did wrong in another execution it may do right in this one.
			ledger.restore(kept.executionId === executionId ? saved : { ...saved, broken: undefined });
			put(kept);
		}
		const paidAt = Math.max(0, ...found.map((kept) => kept.paidAt));
		if (found.some((kept) => kept.executionId !== executionId))
			this.reusedFrom = Math.min(paidAt, this.reusedFrom ?? Infinity);
		if (this.costsCredits) this.sources.push({ key, executionId, hasRaw, paidAt, ledger, before });
		return ledger;
	}
}

/** Rows with `raw` and those without it are kept apart: they serve different runs. */
function idOf({ key, executionId, hasRaw }: Pick<Kept, 'key' | 'executionId' | 'hasRaw'>): string {
	return `${key} ${executionId} ${hasRaw}`;
}

/** Keeps it as what was used latest, and drops what there is no more room for. */
function put(kept: Kept): void {
	drop(idOf(kept));
	if (kept.json.length > MAX_BYTES) return;
	keptById.set(idOf(kept), kept);
	keptBytes += kept.json.length;
	for (const id of keptById.keys()) {
		if (keptBytes <= MAX_BYTES) return;
		drop(id);
	}
}

function drop(id: string): void {
	keptBytes -= keptById.get(id)?.json.length ?? 0;
	keptById.delete(id);
}
