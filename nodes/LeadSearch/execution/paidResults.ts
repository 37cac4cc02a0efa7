/**
 * What a run pays for, and what was paid for before: by the same execution always; by a run of the
 * same node that stopped part-way, or by any when run by hand, within Reuse Paid Results.
 */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { ListRows, type ListSnapshot } from '../api/listRows';
import { ProfileRows, type ProfileSnapshot } from '../api/profileRows';
import { canonical } from '../parameters/canonical';
import type { PaidResults } from '../resources/operation';
import { ResultCache, type KeptResults } from './resultCache';

/** Rows of a run that went well, beyond which nothing is kept unless it is run by hand. */
const MAX_ROWS_KEPT = 5_000;

/** The most text that a run that throws leaves in the execution's data, in characters. */
const MAX_LEFT_IN_EXECUTION = 8_000_000;

const CONTEXT_KEY = 'paidResults';

const cache = new ResultCache();

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
}

type Source = ListRows | ProfileRows;

/** What a run that throws leaves in the execution's data, for a Retry elsewhere or later. */
interface LeftResults {
	executionId: string;
	results: Array<{ key: string; text: string }>;
}

export class PaidResultsStore implements PaidResults {
	private readonly keys = new Map<Source, string>();

	/** Whether anything is reused that another execution paid for. */
	private reusesOthers = false;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'getContext'>,
		private readonly identity: RunIdentity,
		/** Profiles that earlier executions bought, as normalised URLs. */
		private readonly boughtBefore: ReadonlySet<string>,
	) {
		this.takeOverLeftResults();
	}

	list(id: unknown): ListRows {
		const { kept, since, key } = this.find(['list', id]);
		const rows = new ListRows(kept as ListSnapshot[], since);
		this.keys.set(rows, key);
		return rows;
	}

	profiles(id: unknown): ProfileRows {
		const { kept, since, key } = this.find(['profiles', id]);
		const profiles = new ProfileRows(kept as ProfileSnapshot[], since);
		this.keys.set(profiles, key);
		return profiles;
	}

	/** By hand, what is kept comes out all the same, or a second Execute Step would show nothing. */
	leavesOut(url: string, profiles: ProfileRows): boolean {
		const isShown = this.identity.isManual && profiles.stateOf(url) !== 'open';
		return this.boughtBefore.has(url) && !isShown;
	}

	/**
	 * Keeps what a run that ends without an error has paid for.
	 *
	 * @param failed what it did not get whole since something failed
	 * @param whole what it got whole and emitted whole: nobody goes on any more from where an earlier
	 * run stopped at it
	 * @param isRunAgain whether n8n runs the node again in the same execution
	 * @returns whether there is room for all of what failed
	 */
	keep(failed: ReadonlySet<unknown>, whole: ReadonlySet<unknown>, isRunAgain: boolean): boolean {
		const { isManual, costsCredits, executionId } = this.identity;
		if (!costsCredits) return true;
		for (const [source, key] of this.keys) {
			if (whole.has(source)) cache.complete(key);
			const isStopped = failed.has(source) || cache.isStopped(key, executionId);
			const isKept = isManual || isStopped || isRunAgain || source.size <= MAX_ROWS_KEPT;
			if (isKept && source.size > 0) this.keepInMemory(source, key, isStopped);
		}
		return this.isKept([...this.keys.keys()].filter((source) => failed.has(source)));
	}

	/**
	 * Keeps what a run that throws has paid for, in memory and in the execution's data.
	 *
	 * @returns whether there is room for all of it
	 */
	keepAll(): boolean {
		const { executionId, minutes, costsCredits } = this.identity;
		if (!costsCredits) return true;
		const results: LeftResults['results'] = [];
		let room = MAX_LEFT_IN_EXECUTION;
		for (const [source, key] of this.keys) {
			if (source.size === 0) continue;
			const text = this.keepInMemory(source, key, true);
			if (text.length > room) continue;
			room -= text.length;
			results.push({ key, text });
		}
		if (results.length > 0 && minutes > 0) {
			const left: LeftResults = { executionId, results };
			this.context.getContext('node')[CONTEXT_KEY] = JSON.stringify(left);
		}
		return this.isKept([...this.keys.keys()]);
	}

	/** Minutes since a purchase; undefined where this execution made all that are reused. */
	minutesSince(boughtAt: number): number | undefined {
		return this.reusesOthers ? Math.floor((Date.now() - boughtAt) / 60_000) : undefined;
	}

	private keepInMemory(source: Source, key: string, isStopped: boolean): string {
		const { executionId } = this.identity;
		const text = JSON.stringify(source.snapshot(Date.now()));
		cache.keep(key, { executionId, isStopped, json: Buffer.from(text) });
		return text;
	}

	private isKept(sources: Source[]): boolean {
		const { executionId } = this.identity;
		return sources.every(
			(source) => source.size === 0 || cache.holds(this.keys.get(source) ?? '', executionId),
		);
	}

	private find(id: unknown): { key: string; kept: unknown[]; since: number } {
		const { executionId, isManual, minutes, scope } = this.identity;
		const key = createHash('sha256')
			.update(canonical([scope, id]))
			.digest('hex');
		const found = cache.find(key, { executionId, takesComplete: isManual });
		const own = found.filter((results) => results.executionId === executionId);
		// What the execution itself has paid for holds all that it took over from others.
		if (own.length > 0) return { key, kept: own.map(parse), since: -Infinity };
		if (minutes === 0 || found.length === 0) return { key, kept: [], since: 0 };
		this.reusesOthers = true;
		return { key, kept: found.map(parse), since: Date.now() - minutes * 60_000 };
	}

	/** Takes what a run that threw has left, from where it could be in n8n's database by now. */
	private takeOverLeftResults(): void {
		const context = this.context.getContext('node');
		const text: unknown = context[CONTEXT_KEY];
		if (typeof text !== 'string') return;
		Reflect.deleteProperty(context, CONTEXT_KEY);
		const { executionId, results } = JSON.parse(text) as LeftResults;
		for (const { key, text: kept } of results) {
			cache.keep(key, { executionId, isStopped: true, json: Buffer.from(kept) });
		}
	}
}

function parse({ json }: KeptResults): unknown {
	return JSON.parse(json.toString());
}
