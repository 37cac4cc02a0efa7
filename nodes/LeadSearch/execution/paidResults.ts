/**
 * What was paid for, kept in n8n's memory so that it is not paid for again: by the same execution
 * always; by a run of the same node that stopped part-way, or by any when run by hand, within Reuse Paid
 * Results. A run that throws leaves it in the execution's data too, for a Retry elsewhere or later.
 */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Ledger, SavedLedger } from '../paging/ledger';
import { LeadList } from '../paging/leadList';
import { ProfileList } from '../paging/profileList';
import { canonical } from '../parameters/canonical';
import { profileUrlOf } from '../resources/linkedInProfile/linkedInUrl';
import type { Sources } from '../resources/operation';

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

/** What a run is, as far as reuse is concerned. */
export interface RunIdentity {
	executionId: string;
	/** What nobody else shares: workflow, node, credential with its secret, address. */
	scope: unknown;
	/** Whether the workflow is run by hand, in the editor. */
	isManual: boolean;
	/** Reuse Paid Results, in minutes; 0: within an execution only. */
	minutes: number;
	/** Nothing is kept of what costs none. */
	costsCredits: boolean;
	/** Profiles that earlier executions bought, as normalised URLs. */
	boughtBefore: ReadonlySet<string>;
}

/** How a task of the run has ended, and the rows that it has put out. */
interface EndedTask {
	task: { job: { ledger: Ledger } };
	failure?: unknown;
	end?: string | undefined;
	fresh: readonly unknown[];
}

/** A ledger that the run works with, and what is kept of it. */
type Source = Pick<Kept, 'key' | 'executionId' | 'hasRaw' | 'paidAt'> & { ledger: Ledger };

export class PaidResults implements Sources {
	private readonly sources: Source[] = [];
	/** When what is reused of other executions was paid for; undefined for nothing. */
	reusedFrom?: number;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getContext'>,
		private readonly identity: RunIdentity,
	) {
		const data = context.getContext('node');
		const left: unknown = data[CONTEXT_KEY];
		Reflect.deleteProperty(data, CONTEXT_KEY);
		if (typeof left !== 'string') return;
		for (const { text, ...kept } of JSON.parse(left) as Left[])
			put({ ...kept, json: Buffer.from(text) });
	}

	leads(id: unknown, needsRaw: boolean): { list: LeadList; hasRaw: boolean } {
		const list = new LeadList(this.identity.costsCredits);
		return { list, hasRaw: this.restore(list, ['leads', id], needsRaw) };
	}

	profiles(id: unknown): ProfileList {
		const list = new ProfileList(profileUrlOf);
		this.restore(list, ['profiles', id], false);
		return list;
	}

	/** By hand, what is kept comes out all the same, or a second Execute Step would show nothing. */
	leavesOut(url: string, profiles: ProfileList): boolean {
		const isShown = this.identity.isManual && profiles.cells.has(url);
		return this.identity.boughtBefore.has(url) && !isShown;
	}

	/**
	 * Keeps what a run that ends without an error has paid for.
	 *
	 * @param isRunAgain whether n8n runs the node again in the same execution
	 * @returns whether there is room for all of what failed
	 */
	keep(ended: readonly EndedTask[], isRunAgain: boolean): boolean {
		const failed = this.sources.filter((source) => {
			const { key, ledger } = source;
			const own = ended.filter(({ task }) => task.job.ledger === ledger);
			const isFailed = own.some(({ failure }) => failure);
			const isCut = own.some(({ end }) => end === 'budget');
			const putOut = own.reduce((sum, { fresh }) => sum + fresh.length, 0);
			// Once all of it is put out, nobody goes on any more from where an earlier run stopped.
			if (!isFailed && !isCut && putOut === ledger.rows) {
				for (const kept of keptById.values()) if (kept.key === key) kept.isStopped = false;
			}
			const isStopped = isFailed || keptById.get(idOf(source))?.isStopped === true;
			const isSmall = ledger.rows <= MAX_ROWS_KEPT;
			if (this.identity.isManual || isStopped || isRunAgain || isSmall)
				this.keepOne(source, isStopped);
			return isFailed;
		});
		return hasRoomFor(failed);
	}

	/**
	 * Keeps what a run that throws has paid for, in memory and in the execution's data.
	 *
	 * @returns whether there is room for all of it
	 */
	keepAll(): boolean {
		let room = MAX_LEFT_IN_EXECUTION;
		const left: Left[] = [];
		for (const source of this.sources) {
			const kept = this.keepOne(source, true);
			if (!kept || kept.json.length > room) continue;
			const { json, ...facts } = kept;
			room -= json.length;
			left.push({ ...facts, text: json.toString() });
		}
		if (left.length > 0 && this.identity.minutes > 0)
			this.context.getContext('node')[CONTEXT_KEY] = JSON.stringify(left);
		return hasRoomFor(this.sources);
	}

	/**
	 * Restores what may be reused into a ledger.
	 *
	 * @returns whether its rows have, and get, the field `raw`
	 */
	private restore(ledger: Ledger, id: unknown, needsRaw: boolean): boolean {
		const { executionId, scope, costsCredits } = this.identity;
		const text = canonical([scope, id]);
		const key = createHash('sha256').update(text).digest('hex');
		const found = this.find(key).filter((kept) => kept.hasRaw || !needsRaw);
		for (const kept of found) {
			ledger.restore(JSON.parse(kept.json.toString()) as SavedLedger<unknown>);
			put(kept);
		}
		const hasRaw = needsRaw || (found.length > 0 && found.every((kept) => kept.hasRaw));
		const paidAt = Math.max(0, ...found.map((kept) => kept.paidAt));
		if (found.some((kept) => kept.executionId !== executionId))
			this.reusedFrom = Math.min(paidAt, this.reusedFrom ?? Infinity);
		if (costsCredits) this.sources.push({ key, executionId, hasRaw, paidAt, ledger });
		return hasRaw;
	}

	private find(key: string): Kept[] {
		const { executionId, isManual, minutes } = this.identity;
		const all = [...keptById.values()].filter((kept) => kept.key === key);
		const own = all.filter((kept) => kept.executionId === executionId);
		// What the execution itself has paid for holds all that it took over from others.
		if (own.length > 0 || minutes === 0) return own;
		const since = Date.now() - minutes * 60_000;
		return all.filter(({ paidAt, isStopped }) => paidAt > since && (isManual || isStopped));
	}

	private keepOne({ ledger, ...source }: Source, isStopped: boolean): Kept | undefined {
		if (ledger.rows === 0) return undefined;
		const paidAt = ledger.charged > 0 ? Date.now() : source.paidAt;
		const kept = { ...source, paidAt, isStopped, json: Buffer.from(JSON.stringify(ledger)) };
		put(kept);
		return kept;
	}
}

/** Rows with `raw` and those without it are kept apart: they serve different runs. */
function idOf({ key, executionId, hasRaw }: Pick<Kept, 'key' | 'executionId' | 'hasRaw'>): string {
	return `${key} ${executionId} ${hasRaw}`;
}

function hasRoomFor(sources: Source[]): boolean {
	return sources.every((source) => source.ledger.rows === 0 || keptById.has(idOf(source)));
}

/** Keeps it as what was used latest, and drops what there is no more room for. */
function put(kept: Kept): void {
	keptById.delete(idOf(kept));
	if (kept.json.length > MAX_BYTES) return;
	keptById.set(idOf(kept), kept);
	let bytes = 0;
	for (const { json } of keptById.values()) bytes += json.length;
	for (const [id, { json }] of keptById) {
		if (bytes <= MAX_BYTES) return;
		keptById.delete(id);
		bytes -= json.length;
	}
}
