/**
 * Already Looked Up: the profiles that a node bought in earlier executions, in n8n's own
 * deduplication store, by node id. n8n records whatever is checked, so what is new is taken back at
 * once, and what was bought is recorded when its rows leave the node: an n8n that dies while profiles
 * are fetched remembers nothing that nobody got.
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

/** What a store that failed still has to record and to remove, by its id. */
const owed = new Map<string, { record: string[]; remove: string[] }>();

/** Who uses a store waits for whoever came before: what a check records for a moment is not to be found. */
const turns = new Map<string, Promise<unknown>>();

export class AlreadyLookedUp {
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

	/**
	 * Forgets what has reached nobody.
	 *
	 * @throws Error when n8n can't write its store
	 */
	async forget(urls: readonly string[]): Promise<void> {
		const remove = urls.map((url) => this.entryOf(url));
		await this.inTurn(async () => {
			owed.set(this.id, { record: [], remove });
			await this.settle();
		});
	}

	/** Makes up for what could not be written before. */
	private async settle(): Promise<void> {
		const debt = owed.get(this.id);
		if (!debt) return;
		const { store } = this;
		if (debt.record.length > 0)
			await store.checkProcessedAndRecord(debt.record, 'node', OPTIONS);
		const recorded = await store.getProcessedDataCount('node', OPTIONS);
		const atOnce = Math.max(1, Math.floor(MAX_COMPARISONS / Math.max(1, recorded)));
		for (let from = 0; from < debt.remove.length; from += atOnce) {
			await store.removeProcessed(debt.remove.slice(from, from + atOnce), 'node', OPTIONS);
		}
		owed.delete(this.id);
	}

	private async inTurn<Result>(use: () => Promise<Result>): Promise<Result> {
		const before = turns.get(this.id) ?? Promise.resolve();
		const turn = before
			.catch(() => undefined)
			.then(async () => {
				await this.settle();
				return await use();
			});
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
		const fresh = checked.new.map(String);
		// n8n compares each entry that is removed with all others; known are all that there are.
		const isRewritten = fresh.length * recorded > MAX_COMPARISONS && known.length === recorded;
		owed.set(this.id, { record: isRewritten ? known : [], remove: fresh });
		if (isRewritten) {
			await this.store.clearAllProcessedItems('node', OPTIONS);
			owed.set(this.id, { record: known, remove: [] });
		}
		await this.settle();
		return new Set(known.map((entry) => urlOf.get(entry) ?? ''));
	}

	private entryOf(url: string): string {
		return `${this.address} ${url}`;
	}
}
