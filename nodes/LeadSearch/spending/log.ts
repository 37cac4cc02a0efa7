import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';

import { executionInfoOf } from './scope';

/** @param cursor the number of leads that the trigger has delivered; only for lines of the trigger */
export type Log = (level: 'info' | 'warn', message: string, cursor?: number) => void;

export function logOf(context: IExecuteFunctions | IPollFunctions): Log {
	const { id: nodeId, name: nodeName, type } = context.getNode();
	const fields = { ...executionInfoOf(context), nodeId, nodeName };
	const source = type.endsWith('Trigger') ? 'Lead Search Trigger' : 'Lead Search';
	return (level, message, cursor) => {
		context.logger[level](`${source}: ${message}`, { ...fields, cursor });
	};
}
