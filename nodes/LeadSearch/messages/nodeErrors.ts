/**
 * The errors that n8n shows. The editor renders their descriptions as HTML, so plain text becomes
 * HTML here and nowhere else.
 */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InvalidParameterError } from '../parameters/invalidParameter';
import type { ErrorText } from './failures';

/**
 * Builds the error for a failure of the service, from our words alone: nothing of the request or the
 * answer goes along, so no secret can.
 */
export function asNodeError(
	node: INode,
	{ message, description }: ErrorText,
	{ status, item }: { status: number | undefined; item: number },
): NodeApiError {
	const httpCode = status?.toString();
	const error = new NodeApiError(node, {}, { message, itemIndex: item, httpCode });
	// n8n puts a stock phrase in place of messages that happen to contain a network code.
	error.message = message;
	error.description = escapeHtml(description);
	return error;
}

/** Builds the error for what can't be used: a parameter or the credential. Nothing was sent. */
export function asInvalid(node: INode, text: ErrorText, item?: number): NodeOperationError {
	const description = escapeHtml(text.description);
	return new NodeOperationError(node, text.message, { description, itemIndex: item });
}

/** On n8n 1 an error item without a description would go out as a lead. */
const NOTHING_SENT =
	'Check the parameters and the credential of the node. Nothing was sent or charged for this item.';

/** n8n can't tell what was bought before. */
export function formatNoRecord(thrown: unknown): ErrorText {
	return {
		message: "'Already Looked Up' is set to Leave Out, but n8n can't read what was bought before",
		description: `n8n says: ${messageOf(thrown)}. Save the workflow and run it again, or set Already Looked Up to Look Up Again. Nothing was sent or charged.`,
	};
}

/**
 * What can't be used: a parameter, or the credential.
 *
 * @param whose put after the label of what can't be used, such as ' in the credential'
 */
export function formatInvalid(thrown: unknown, whose = ''): ErrorText {
	if (thrown instanceof InvalidParameterError) {
		const { label, problem, description } = thrown;
		return { message: `'${label}'${whose} ${problem}`, description };
	}
	return thrown instanceof NodeOperationError
		? { message: thrown.message, description: thrown.description ?? NOTHING_SENT }
		: { message: messageOf(thrown), description: NOTHING_SENT };
}

/** The same for an input item; undefined where there is no other. */
export function formatInvalidItem(thrown: unknown, item: number | undefined): ErrorText {
	return formatInvalid(thrown, item === undefined ? '' : ` of input item ${item}`);
}

/** The same as the error that stops the workflow; what n8n threw stays what it is. */
export function asOperationError(
	node: INode,
	thrown: unknown,
	item: number | undefined,
): NodeOperationError {
	if (thrown instanceof InvalidParameterError)
		return asInvalid(node, formatInvalidItem(thrown, item), item);
	const cause = thrown instanceof Error ? thrown : String(thrown);
	const error =
		thrown instanceof NodeOperationError
			? thrown
			: new NodeOperationError(node, cause, { itemIndex: item });
	error.description ??= NOTHING_SENT;
	return error;
}

/** What n8n says of something it threw. */
export function messageOf(thrown: unknown): string {
	return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Text as the content of an HTML element. Quotes need no care there, and read better untouched. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
