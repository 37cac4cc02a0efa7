/** Collects output items by the input item they belong to. */
import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import type { Json } from '../service/contract';

/** What belongs to an input item. All its rows share one `pairedItem`, as in n8n's own helpers. */
interface Bucket {
	readonly items: INodeExecutionData[];
	readonly pairedItem: IPairedItemData;
}

export class Output {
	private readonly byItem = new Map<number, Bucket>();

	/** Output that belongs to no input item in particular. */
	private readonly unpaired: INodeExecutionData[] = [];

	/** @param inputItems number of input items; a row that fits none of several goes unpaired */
	constructor(private readonly inputItems: number) {}

	/** Puts a row out for an input item, or for none where it can't be told. */
	add(item: number | undefined, json: Json): void {
		const owner = item ?? (this.inputItems === 1 ? 0 : undefined);
		// What comes from JSON.parse is what n8n calls an IDataObject.
		const data = json as IDataObject;
		if (owner === undefined) this.unpaired.push({ json: data });
		else {
			const { items, pairedItem } = this.bucket(owner);
			items.push({ json: data, pairedItem });
		}
	}

	/** Puts a row out for each of the input items, as an object of its own for each. */
	addForEach(items: readonly number[], json: Json): void {
		let isTaken = false;
		for (const item of items) {
			this.add(item, isTaken ? { ...json } : json);
			isTaken = true;
		}
	}

	/** Puts an item out that says what went wrong for these input items. */
	addFailure(items: number[], told: { message: string; description: string }): void {
		const pairedItem: IPairedItemData[] = items.map((item) => ({ item }));
		const [first = 0] = items;
		this.bucket(first).items.push({
			// By exactly these two keys every n8n from 1.x on tells an error, and keeps both.
			json: {
				error: told.message,
				message: told.description,
			},
			pairedItem,
		});
	}

	/** All items, in the order of the input items. */
	items(): INodeExecutionData[] {
		const buckets = [...this.byItem.entries()]
			.sort(([one], [other]) => one - other)
			.map(([, { items }]) => items);
		if (this.unpaired.length > 0) buckets.push(this.unpaired);
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
