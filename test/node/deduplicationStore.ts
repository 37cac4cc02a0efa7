/**
 * n8n's deduplication store, which n8n-core leaves to its host: as n8n keeps it in its database, but
 * in memory. It records whatever is checked.
 */
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

class DeduplicationStore implements IDataDeduplicator {
	private readonly stores = new Map<string, DeduplicationItemTypes[]>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<IDeduplicationOutput> {
		const recorded = await this.open(scope, context);
		const known = new Set(recorded);
		const fresh = items.filter((item) => !known.has(item));
		this.stores.set(keyOf(scope, context), [...recorded, ...fresh]);
		return { new: fresh, processed: items.filter((item) => known.has(item)) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const removed = new Set(items);
		const recorded = await this.open(scope, context);
		this.stores.set(
			keyOf(scope, context),
			recorded.filter((item) => !removed.has(item)),
		);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		await this.open(scope, context);
		this.stores.delete(keyOf(scope, context));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		return (await this.open(scope, context)).length;
	}

	/** What a node has recorded. */
	recordedBy(nodeId: string, workflowId = 'test'): DeduplicationItemTypes[] {
		return this.stores.get(`${workflowId} node ${nodeId}`) ?? [];
	}

	private async open(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<DeduplicationItemTypes[]> {
		await Promise.resolve();
		return this.stores.get(keyOf(scope, context)) ?? [];
	}
}

function keyOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	return `${workflow.id} ${scope} ${node?.id ?? ''}`;
}

export const deduplicationStore = new DeduplicationStore();

// n8n-core, which lasts longer than a test file, takes one store and no other.
Reflect.deleteProperty(DataDeduplicationService, 'instance');
void DataDeduplicationService.init(deduplicationStore);
