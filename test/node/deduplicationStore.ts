/**
 * n8n's deduplication store, which n8n-core leaves to its host: as n8n keeps it in its database, but
 * in memory. It records whatever is checked.
 */
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes as Item,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

type Where = [scope: DeduplicationScope, context: ICheckProcessedContextData];

class DeduplicationStore implements IDataDeduplicator {
	private readonly stores = new Map<string, Set<Item>>();

	async checkProcessedAndRecord(items: Item[], ...where: Where): Promise<IDeduplicationOutput> {
		const recorded = await this.open(...where);
		const fresh = items.filter((item) => !recorded.has(item));
		const processed = items.filter((item) => recorded.has(item));
		for (const item of fresh) recorded.add(item);
		return { new: fresh, processed };
	}

	async removeProcessed(items: Item[], ...where: Where): Promise<void> {
		const recorded = await this.open(...where);
		for (const item of items) recorded.delete(item);
	}

	async clearAllProcessedItems(...where: Where): Promise<void> {
		(await this.open(...where)).clear();
	}

	async getProcessedDataCount(...where: Where): Promise<number> {
		return (await this.open(...where)).size;
	}

	/** What a node has recorded. */
	recordedBy(nodeId: string): Item[] {
		return [...(this.stores.get(`test node ${nodeId}`) ?? [])];
	}

	private async open(...[scope, { workflow, node }]: Where): Promise<Set<Item>> {
		await Promise.resolve();
		const key = `${workflow.id} ${scope} ${node?.id ?? ''}`;
		const recorded = this.stores.get(key) ?? new Set();
		this.stores.set(key, recorded);
		return recorded;
	}
}

export const deduplicationStore = new DeduplicationStore();

// n8n-core, which lasts longer than a test file, takes one store and no other.
Reflect.deleteProperty(DataDeduplicationService, 'instance');
void DataDeduplicationService.init(deduplicationStore);
