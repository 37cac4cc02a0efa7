/** What polls leave for those after them: in n8n's static data, and while its process runs. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Copies } from './cursor';
import type { Owner, Place } from './place';

/** What is known of a trigger while n8n's process runs. */
interface Memory {
	/** Whether a poll is under way: a second one at the same time would pay twice. */
	isPolling?: boolean;
	/** The latest: n8n saves what a poll without leads changes later, or not at all. */
	place?: Place;
	/** When a test last went well, in milliseconds since 1970. */
	testedAt?: number;
	handedOver?: HandedOver;
}

/** What was handed to n8n last, until it is known that n8n has saved it. */
interface HandedOver {
	/** Of the place that is saved together with it. */
	revision: number;
	/** In milliseconds since 1970. */
	at: number;
	/** As JSON, since nodes after the trigger may change what they get. */
	items: string;
}

/** By workflow and node. */
export const memories = new Map<string, Memory>();

/** A poll of more leads is not kept: n8n's memory has to hold them once already. */
const MAX_KEPT_LEADS = 10_000;

export type Storage = ReturnType<typeof storageOf>;

/** Places stand with the node, which is saved with its leads, and with the workflow, which outlasts renaming. */
export function storageOf(context: IPollFunctions) {
	const { id } = context.getNode();
	const { id: workflowId = '' } = context.getWorkflow();
	const owner: Owner = { nodeId: id, workflowId, instanceId: context.getInstanceId() };
	const key = `${workflowId}:${id}`;
	const memory = memories.get(key) ?? {};
	memories.set(key, memory);
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const name = `leadSearchTrigger_${id}`;
	const save = (place: Place): Place => {
		// By the time: n8n processes that take turns at polling don't know each other's polls without leads.
		const saved = { ...place, revision: Math.max(place.revision + 1, Date.now()) };
		memory.place = saved;
		// n8n saves whole objects that are assigned, and watches them: each place has its own. The names are those of
		// the version before.
		ofNode.cursor = copyOf(saved);
		ofWorkflow[name] = copyOf(saved);
		return saved;
	};
	return {
		owner,
		memory,
		get copies(): Copies {
			return { ofNode: ofNode.cursor, ofWorkflow: ofWorkflow[name], inMemory: memory.place };
		},
		save,
		/** Saves the place together with what is handed over. */
		saveWith(place: Place, items: INodeExecutionData[]): void {
			const { revision } = save(place);
			const { length: leads } = items;
			delete memory.handedOver;
			if (leads > 0 && leads <= MAX_KEPT_LEADS) {
				memory.handedOver = { revision, at: Date.now(), items: JSON.stringify(items) };
			}
		},
	};
}

function copyOf(place: Place): IDataObject {
	return JSON.parse(JSON.stringify(place)) as IDataObject;
}
