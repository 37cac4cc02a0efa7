/**
 * The errors that n8n shows. The editor renders their descriptions as HTML, so plain text becomes
 * HTML here and nowhere else.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Told } from './failureMessages';
import { BadParameter } from './itemParameters';

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

/** What can't be used for an input item: its parameters, or the credential. */
export function tellRefusal(thrown: unknown, item: number): Told {
	if (thrown instanceof BadParameter) {
		const { label, complaint, description } = thrown;
		return { message: `'${label}' of input item ${item} ${complaint}`, description };
	}
	if (thrown instanceof NodeOperationError) {
		return { message: thrown.message, description: thrown.description ?? '' };
	}
	return { message: thrown instanceof Error ? thrown.message : String(thrown), description: '' };
}

/** The same as the error that stops the workflow. */
export function asOperationError(node: INode, thrown: unknown, item: number): NodeOperationError {
	if (thrown instanceof NodeOperationError) return thrown;
	if (thrown instanceof BadParameter) return asRefusal(node, tellRefusal(thrown, item), item);
	const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
	return new NodeOperationError(node, cause, { itemIndex: item });
}

/** Text as the content of an HTML element. Quotes need no care there, and read better untouched. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
