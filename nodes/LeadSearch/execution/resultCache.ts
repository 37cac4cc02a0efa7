/**
 * What was paid for, kept in n8n's memory between runs of a node, so that it is not paid for again.
 * One for all nodes of this n8n; a key tells whose results they are.
 */

/** The most text that is kept, in bytes; what was used longest ago goes first. */
const MAX_BYTES = 64_000_000;

/** What one execution paid for with one request body. */
export interface KeptResults {
	/** The execution that paid, or that took it over from another. */
	executionId: string;
	/** Whether the run stopped part-way, so that others may go on from here. */
	isStopped: boolean;
	/** What came, as JSON in UTF-8: nothing outside can change it. */
	json: Buffer;
}

/** Whose results may be taken. */
export interface Taker {
	executionId: string;
	/** Whether results of a run that went well may be taken too. */
	takesComplete: boolean;
}

export class ResultCache {
	/** By key, and in the order in which executions have kept them. */
	private readonly byKey = new Map<string, Map<string, KeptResults>>();

	/** In the order of their last use. */
	private readonly used = new Map<KeptResults, string>();

	private bytes = 0;

	constructor(private readonly maxBytes = MAX_BYTES) {}

	/** The execution's own results first, then those that it may take from others, the latest first. */
	find(key: string, { executionId, takesComplete }: Taker): KeptResults[] {
		const kept = [...(this.byKey.get(key)?.values() ?? [])].reverse();
		const isOwn = (results: KeptResults) => results.executionId === executionId;
		const found = [
			...kept.filter(isOwn),
			...kept.filter((results) => !isOwn(results) && (takesComplete || results.isStopped)),
		];
		for (const results of found) this.touch(results, key);
		return found;
	}

	/**
	 * Keeps results, in place of those that the execution kept before under the same key; what takes
	 * more room than there is in all is not kept.
	 */
	keep(key: string, results: KeptResults): void {
		const before = this.byKey.get(key)?.get(results.executionId);
		if (before) this.drop(before, key);
		if (results.json.length > this.maxBytes) return;
		const kept = this.byKey.get(key) ?? new Map<string, KeptResults>();
		kept.set(results.executionId, results);
		this.byKey.set(key, kept);
		this.used.set(results, key);
		this.bytes += results.json.length;
		for (const [oldest, oldestKey] of this.used) {
			if (this.bytes <= this.maxBytes) break;
			this.drop(oldest, oldestKey);
		}
	}

	/** Whether an execution's results are still there. */
	holds(key: string, executionId: string): boolean {
		return this.byKey.get(key)?.has(executionId) === true;
	}

	/** Whether the execution stopped at these results, and nobody has completed them since. */
	isStopped(key: string, executionId: string): boolean {
		return this.byKey.get(key)?.get(executionId)?.isStopped === true;
	}

	/** A run has completed what others had stopped at: nobody goes on from there any more. */
	complete(key: string): void {
		for (const results of this.byKey.get(key)?.values() ?? []) results.isStopped = false;
	}

	private touch(results: KeptResults, key: string): void {
		this.used.delete(results);
		this.used.set(results, key);
	}

	private drop(results: KeptResults, key: string): void {
		this.used.delete(results);
		this.bytes -= results.json.length;
		const kept = this.byKey.get(key);
		kept?.delete(results.executionId);
		if (kept?.size === 0) this.byKey.delete(key);
	}
}
