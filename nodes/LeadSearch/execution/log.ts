/** Lines of n8n's log: each says which workflow, node and execution it is about. */
import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { runningOf } from './belonging';

/** Writes a line of n8n's log; of a poll, the number of leads that have come so far is its place. */
export type Log = ReturnType<typeof logOf>;

/** @returns writes a line with its fields */
export function logOf(context: IExecuteFunctions | IPollFunctions) {
	const { id: nodeId, name: nodeName, type } = context.getNode();
	const fields = { ...runningOf(context), nodeId, nodeName };
	const who = type.endsWith('Trigger') ? 'Lead Search Trigger' : 'Lead Search';
	return (level: 'info' | 'warn', message: string, place?: number) => {
		context.logger[level](`${who}: ${message}`, { ...fields, place });
	};
}
