/**
 * The errors that n8n shows. The editor renders their descriptions as HTML, so plain text becomes
 * HTML here and nowhere else.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Told } from './failureMessages';

/**
 * Builds the error for a failure of the service, from our words alone: nothing of the request or the
 * answer goes along, so no secret can.
 */
export function asNodeError(
	node: INode,
	told: Told,
	{ status, item }: { status: number | undefined; item: number },
): NodeApiError {
	const description = escapeHtml(told.description);
	const error = new NodeApiError(
		node,
		{},
		{
			message: told.message,
			description,
			itemIndex: item,
			...(status !== undefined && { httpCode: String(status) }),
		},
	);
	// n8n puts a stock phrase in place of messages that happen to contain a network code.
	error.message = told.message;
	error.description = description;
	return error;
}

/** Builds the error for what can't be used: a parameter or the credential. Nothing was sent. */
export function asRefusal(node: INode, told: Told, item?: number): NodeOperationError {
	return new NodeOperationError(node, told.message, {
		description: escapeHtml(told.description),
		...(item !== undefined && { itemIndex: item }),
	});
}

/** Text as the content of an HTML element. Quotes need no care there, and read better untouched. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
