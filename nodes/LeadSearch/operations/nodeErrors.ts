import { NodeApiError, type INode } from 'n8n-workflow';

import type { Told } from './failureMessages';

/**
 * Builds the error that n8n shows, from our words alone: nothing of the request or the answer goes
 * along, so no secret can.
 */
export function asNodeError(
	node: INode,
	told: Told,
	{ status, item }: { status: number | undefined; item: number },
): NodeApiError {
	const error = new NodeApiError(
		node,
		{},
		{
			message: told.message,
			description: told.description,
			itemIndex: item,
			...(status !== undefined && { httpCode: String(status) }),
		},
	);
	// n8n puts a stock phrase in place of messages that happen to contain a network code.
	error.message = told.message;
	error.description = told.description;
	return error;
}
