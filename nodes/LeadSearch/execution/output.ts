/** Collects output items by the input item they belong to. */
import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { RowOutput } from '../resources/operation';

/** What belongs to an input item. All its rows share one `pairedItem`, as in n8n's own helpers. */
interface Bucket {
	readonly items: INodeExecutionData[];
	readonly pairedItem: IPairedItemData;
}

/** An item that says what went wrong. */
export interface ErrorItem {
	message: string;
	description: string;
	/** The same as data; undefined where n8n would take the item for a lead. */
	details?: Json;
}

/** Every item is paired explicitly: n8n guesses where it is not, and guesses wrong. */
export class Output implements RowOutput {
	private readonly byItem = new Map<number, Bucket>();

	/** Input items that got an item that says what went wrong. */
	readonly failed = new Set<number>();

	/** Rows that belong to the same input items share one `pairedItem` too. */
	private readonly pairings = new WeakMap<readonly number[], IPairedItemData[]>();

	/**
	 * @param input the node's input items
	 * @param notFound the second output, where the node has one
	 */
	constructor(
		private readonly input: readonly INodeExecutionData[] = [],
		private readonly notFound?: Output,
	) {}

	inputFields(item: number): Json {
		return this.input[item]?.json ?? {};
	}

	add(item: number, json: Json): void {
		const { items, pairedItem } = this.bucket(item);
		// What comes from JSON.parse is what n8n calls an IDataObject.
		items.push({ json: json as IDataObject, pairedItem });
	}

	addNotFound(item: number, json: Json): void {
		(this.notFound ?? this).add(item, json);
	}

	addForAny(items: readonly number[], json: Json): void {
		const [first = 0] = items;
		if (items.length < 2) {
			this.add(first, json);
			return;
		}
		const pairedItem = this.pairings.get(items) ?? items.map((item) => ({ item }));
		this.pairings.set(items, pairedItem);
		this.bucket(first).items.push({ json: json as IDataObject, pairedItem });
	}

	/** Puts an item out that says what went wrong for an input item. */
	addError(item: number, { message, description, details }: ErrorItem): void {
		this.failed.add(item);
		// By `error` and `message` alone every n8n from 1.x on tells an error, and keeps both.
		this.add(item, { error: message, message: description, ...(details && { details }) });
	}

	/**
	 * An agent reads only the beginning of a long result, so that is said first.
	 *
	 * @param length characters that an agent reads
	 */
	noteIfLongerThan(length: number): void {
		const all = this.items().map(({ json }) => json);
		const errors = all.flatMap(({ error, message }) =>
			typeof error === 'string' && typeof message === 'string' ? [`${error}. ${message}`] : [],
		);
		let left = length;
		const read = all.findIndex((json) => (left -= JSON.stringify(json).length + 1) < 0);
		if (read < 0) return;
		const sentences = [
			`This result is longer than n8n shows to an agent: about the first ${read} of ${all.length - errors.length} rows can be read.`,
			'Ask for fewer at once, or choose fewer fields under Output.',
			...errors,
		];
		const note = { json: { note: sentences.join(' ') }, pairedItem: { item: 0 } };
		this.bucket(0).items.unshift(note);
	}

	/** Whether n8n takes the run for one that failed, as it does by its first item. */
	beginsWithError(): boolean {
		const { error } = this.items()[0]?.json ?? {};
		return error !== undefined && error !== null && error !== false;
	}

	/** The items of each output of the node. */
	outputs(): INodeExecutionData[][] {
		return [this.items(), ...(this.notFound ? [this.notFound.items()] : [])];
	}

	/** All items of this output, in the order of the input items. */
	items(): INodeExecutionData[] {
		const buckets = [...this.byItem.entries()]
			.sort(([one], [other]) => one - other)
			.map(([, { items }]) => items);
		const [only] = buckets;
		return buckets.length === 1 && only ? only : buckets.flat();
	}

	private bucket(item: number): Bucket {
		const known = this.byItem.get(item);
		if (known) return known;
		const bucket: Bucket = { items: [], pairedItem: { item } };
		this.byItem.set(item, bucket);
		return bucket;
	}
}
