/**
 * Already Looked Up: the profiles that a node bought in earlier executions, in n8n's own
 * deduplication store, by node id. n8n records whatever is checked, so what is new is taken back at
 * once, and what was bought is recorded when its rows leave the node: an n8n that dies while profiles
 * are fetched remembers nothing that nobody got.
 */
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { executionIdOf, inTurn, isTool } from './n8n';

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/**
 * How many entries n8n may compare at a time, for what is removed is compared with all that is
 * recorded: about 0.2 s, in which n8n does nothing else.
 */
const MAX_COMPARISONS = 20_000_000;

const CONTEXT_KEY = 'recordedByTry';

/** URLs are normalised. All methods throw what n8n throws when it can't read or write its store. */
export class AlreadyLookedUp {
	/** @param address the service's: another service has other profiles */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly address: string,
	) {}

	/** @returns those that are recorded, of URLs that are there once; none for agents */
	async find(urls: readonly string[]): Promise<Set<string>> {
		const { helpers } = this.context;
		const found = new Set<string>();
		if (isTool(this.context)) return found;
		await this.forgetDroppedTry();
		if (urls.length === 0) return found;
		// What a check records for a moment is not to be found by another one.
		await this.inTurn(async () => {
			const recorded = await helpers.getProcessedDataCount('node', OPTIONS);
			if (recorded === 0) return;
			const checked = await helpers.checkProcessedAndRecord(this.entriesOf(urls), 'node', OPTIONS);
			const known = checked.processed.map(String);
			for (const entry of known) found.add(entry.slice(this.address.length + 1));
			if (checked.new.length * recorded > MAX_COMPARISONS && known.length === recorded) {
				// Faster than to remove one by one what is new: known are all that there are.
				await helpers.clearAllProcessedItems('node', OPTIONS);
				await helpers.checkProcessedAndRecord(known, 'node', OPTIONS);
			} else await this.remove(checked.new.map(String));
		});
		return found;
	}

	/**
	 * Remembers what leaves the node; what is recorded already does no harm.
	 *
	 * @param mayBeDropped whether n8n may run the node again in place of passing its output on
	 */
	async record(urls: readonly string[], mayBeDropped: boolean): Promise<void> {
		await this.inTurn(async () => {
			await this.context.helpers.checkProcessedAndRecord(this.entriesOf(urls), 'node', OPTIONS);
		});
		if (mayBeDropped) this.context.getContext('node')[CONTEXT_KEY] = { run: this.runKey(), urls };
	}

	/** Forgets what has reached nobody. */
	async forget(urls: readonly string[]): Promise<void> {
		await this.inTurn(async () => {
			await this.remove(this.entriesOf(urls));
		});
	}

	/** The try that follows is to deliver all that n8n dropped of the one before. */
	private async forgetDroppedTry(): Promise<void> {
		const data = this.context.getContext('node');
		const recorded = data[CONTEXT_KEY] as { run: string; urls: string[] } | undefined;
		if (recorded?.run === this.runKey()) await this.forget(recorded.urls);
		Reflect.deleteProperty(data, CONTEXT_KEY);
	}

	private async remove(entries: string[]): Promise<void> {
		const { helpers } = this.context;
		const recorded = await helpers.getProcessedDataCount('node', OPTIONS);
		const atOnce = Math.max(1, Math.floor(MAX_COMPARISONS / Math.max(1, recorded)));
		for (let from = 0; from < entries.length; from += atOnce) {
			await helpers.removeProcessed(entries.slice(from, from + atOnce), 'node', OPTIONS);
		}
	}

	private async inTurn(use: () => Promise<void>): Promise<void> {
		const { id = '' } = this.context.getWorkflow();
		await inTurn(`store of ${id} ${this.context.getNode().id}`, use);
	}

	/** The same for all tries of one run of the node. */
	private runKey(): string {
		const { $runIndex } = this.context.getWorkflowDataProxy(0);
		return `${executionIdOf(this.context)} ${String($runIndex)}`;
	}

	private entriesOf(urls: readonly string[]): string[] {
		return urls.map((url) => `${this.address} ${url}`);
	}
}
