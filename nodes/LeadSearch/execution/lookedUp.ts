/**
 * Already Looked Up: the profiles that a node bought in earlier executions, in n8n's own
 * deduplication store, by node id. n8n records whatever is checked, so what is new is taken back at
 * once, and what was bought is recorded when its rows leave the node: an n8n that dies meanwhile
 * remembers nothing that nobody got.
 */
import type { DeduplicationHelperFunctions, ICheckProcessedOptions } from 'n8n-workflow';

/** The part of n8n's helpers that is used. */
export type DeduplicationStore = Pick<
	DeduplicationHelperFunctions,
	| 'checkProcessedAndRecord'
	| 'removeProcessed'
	| 'clearAllProcessedItems'
	| 'getProcessedDataCount'
>;

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/**
 * How many entries n8n may compare at a time, for what is removed is compared with all that is
 * recorded: about 0.2 s, in which n8n does nothing else.
 */
const MAX_COMPARISONS = 20_000_000;

/** Who uses a store waits for whoever came before: what a check records for a moment is not to be found. */
const turns = new Map<string, Promise<unknown>>();

export class LookedUp {
	/**
	 * @param store that of the node
	 * @param id tells the store from those of other nodes
	 * @param address the service's: another service has other profiles
	 */
	constructor(
		private readonly store: DeduplicationStore,
		private readonly id: string,
		private readonly address: string,
	) {}

	/**
	 * @param urls normalised, each once
	 * @returns those that are recorded
	 * @throws Error when n8n can't read or write its store
	 */
	async find(urls: readonly string[]): Promise<Set<string>> {
		return urls.length > 0 ? await this.inTurn(async () => await this.check(urls)) : new Set();
	}

	/**
	 * @param urls normalised; those that are recorded already do no harm
	 * @throws Error when n8n can't write its store
	 */
	async record(urls: Iterable<string>): Promise<void> {
		const entries = [...new Set(urls)].map((url) => this.entryOf(url));
		if (entries.length === 0) return;
		await this.inTurn(
			async () => await this.store.checkProcessedAndRecord(entries, 'node', OPTIONS),
		);
	}

	private async inTurn<Result>(use: () => Promise<Result>): Promise<Result> {
		const turn = (turns.get(this.id) ?? Promise.resolve()).catch(() => undefined).then(use);
		turns.set(this.id, turn);
		try {
			return await turn;
		} finally {
			if (turns.get(this.id) === turn) turns.delete(this.id);
		}
	}

	private async check(urls: readonly string[]): Promise<Set<string>> {
		const recorded = await this.store.getProcessedDataCount('node', OPTIONS);
		if (recorded === 0) return new Set();
		const urlOf = new Map(urls.map((url) => [this.entryOf(url), url]));
		const checked = await this.store.checkProcessedAndRecord(
			[...urlOf.keys()],
			'node',
			OPTIONS,
		);
		const known = checked.processed.map(String);
		await this.takeBack(checked.new.map(String), known, recorded);
		return new Set(known.map((entry) => urlOf.get(entry) ?? ''));
	}

	/**
	 * @param fresh entries to remove
	 * @param known those of the others that are known
	 * @param recorded how many others there are
	 */
	private async takeBack(fresh: string[], known: string[], recorded: number): Promise<void> {
		const { store } = this;
		const atOnce = Math.max(1, Math.floor(MAX_COMPARISONS / recorded));
		if (fresh.length > atOnce && known.length === recorded) {
			await store.clearAllProcessedItems('node', OPTIONS);
			await store.checkProcessedAndRecord(known, 'node', OPTIONS);
			return;
		}
		for (let from = 0; from < fresh.length; from += atOnce) {
			await store.removeProcessed(fresh.slice(from, from + atOnce), 'node', OPTIONS);
		}
	}

	private entryOf(url: string): string {
		return `${this.address} ${url}`;
	}
}
