/** Creates the errors that n8n shows. The editor renders descriptions as HTML, so this file escapes them. */
import {
	NodeApiError,
	NodeOperationError,
	type Failure as Declared,
	type INode,
	type TimedCause,
} from 'n8n-workflow';

import { mayHaveBeenCharged, type Failure, type FailureKind } from '../api/failures';
import { InvalidParameterError } from '../parameters/invalidParameter';
import type { ErrorText } from './failures';

/** The cause of an error that the user has to correct before a retry can succeed. */
const INVALID_CONFIGURATION = { cause: 'configuration-invalid' } as const satisfies Declared;

const PERMANENT_CAUSES: Readonly<Partial<Record<FailureKind, Declared>>> = {
	unauthorized: { cause: 'credential-invalid' },
	notTheService: INVALID_CONFIGURATION,
	notSent: INVALID_CONFIGURATION,
	proxyLogin: INVALID_CONFIGURATION,
};

const TRANSIENT_CAUSES: Readonly<Partial<Record<FailureKind, TimedCause>>> = {
	noCredits: 'quota-exhausted',
	tooManyRequests: 'rate-limited',
	serverDown: 'temporarily-unavailable',
	upstreamDown: 'temporarily-unavailable',
	unreachable: 'temporarily-unavailable',
};

/**
 * Returns the cause of a failure for n8n. From the cause, n8n 2.41 and later choose how long to wait before the next
 * poll; earlier versions ignore the cause.
 *
 * @returns undefined if the HTTP status is enough for that choice, and for a lost response (such as a 504): the
 * service may have charged for the request, so n8n must not treat it like a request that cost nothing
 */
function declareCause(failure: Failure): Declared | undefined {
	const { kind, retryAfterMs } = failure;
	const cause = mayHaveBeenCharged(failure) ? undefined : TRANSIENT_CAUSES[kind];
	return cause ? { cause, ...(retryAfterMs && { retryAfterMs }) } : PERMANENT_CAUSES[kind];
}

/**
 * Creates the error for a failure of the service. The error contains nothing of the request or the response, so no
 * secret.
 *
 * @param about `failure` gives n8n the status and the cause; it is undefined if the budget is spent. `item` is the
 * input item
 */
export function serviceError(
	node: INode,
	{ message, description }: ErrorText,
	{ failure, item }: { failure: Failure | undefined; item: number },
): NodeApiError {
	const httpCode = failure?.status?.toString();
	const options = { message, itemIndex: item, httpCode, failure: failure && declareCause(failure) };
	const error = new NodeApiError(node, {}, options);
	// n8n replaces messages that contain a network code by a stock phrase.
	error.message = message;
	error.description = escapeHtml(description);
	return error;
}

/** Creates the error for an invalid parameter or credential. */
export function configurationError(
	node: INode,
	{ message, description }: ErrorText,
): NodeOperationError {
	return new NodeOperationError(node, message, {
		description: escapeHtml(description),
		failure: INVALID_CONFIGURATION,
	});
}

/**
 * The description for an error that has none of its own. Without a description, n8n 1 doesn't recognise an error
 * item, and outputs it among the leads.
 */
const NOTHING_SENT =
	'Check the parameters and the credential of the node. Nothing was sent or charged for this item.';

/** The message for a credential with expressions that give several accounts. */
export function formatSeveralAccounts(first: number, item: number): ErrorText {
	return {
		message: `Input items ${first} and ${item} use different credentials`,
		description:
			'Process the items one at a time with Loop Over Items. The credential contains an expression, and a run can use only one account. Nothing was sent or charged.',
	};
}

/**
 * Returns the message for an invalid parameter or field.
 *
 * @param where the number of the input item if there are several items; 'credential' for a field of the credential
 */
export function formatInvalid(thrown: unknown, where?: number | 'credential'): ErrorText {
	let location = typeof where === 'number' ? ` of input item ${where}` : '';
	if (where === 'credential') location = ' in the credential';
	return formatInvalidAt(thrown, location);
}

function formatInvalidAt(thrown: unknown, location: string): ErrorText {
	if (thrown instanceof InvalidParameterError) {
		const { label, problem, description } = thrown;
		return { message: `'${label}'${location} ${problem}`, description };
	}
	const description = thrown instanceof NodeOperationError ? thrown.description : undefined;
	return { message: messageOf(thrown), description: description ?? NOTHING_SENT };
}

/** An input item that can't be used, and the error that was thrown for it. */
export interface InvalidItem {
	item: number;
	thrown: unknown;
}

/** The most messages that an error has in addition to its first. */
const MAX_NAMED = 20;

/** The most input items that a message names by their numbers. */
const MAX_NUMBERS = 3;

/**
 * Creates the error that stops the workflow. Its text names all invalid input items, so that a user can correct them
 * together. If n8n itself has thrown the error of the first item, for example because an expression can't be
 * evaluated, that error is kept, because the editor shows its details.
 *
 * @param invalid at least one item
 * @param isOnly whether there is only one input item, so that no number has to be named
 */
export function invalidItemsError(
	node: INode,
	invalid: readonly InvalidItem[],
	isOnly: boolean,
): NodeOperationError {
	const [first] = invalid;
	const { item = 0, thrown } = first ?? {};
	const [message = '', ...others] = formatCauses(invalid, isOnly);
	const { description } = formatInvalid(thrown);
	const isOfN8n = isError(thrown) && !(thrown instanceof InvalidParameterError);
	const failure = isOfN8n ? undefined : INVALID_CONFIGURATION;
	const options = { itemIndex: item, failure };
	const error = new NodeOperationError(node, isOfN8n ? thrown : message, options);
	error.description ??= escapeHtml(description);
	const named = others.slice(0, MAX_NAMED);
	const more = others.length > named.length ? `, and ${others.length - named.length} more` : '';
	if (named.length > 0)
		error.description += escapeHtml(` Messages for other input items: ${named.join('; ')}${more}.`);
	return error;
}

/**
 * Groups invalid items by cause.
 *
 * @param isOnly whether there is only one input item
 * @returns one message for each cause, with the input items that it affects
 */
function formatCauses(invalid: readonly InvalidItem[], isOnly: boolean): string[] {
	const causes = new Map<string, [InvalidItem, ...InvalidItem[]]>();
	for (const one of invalid) {
		const cause = formatInvalid(one.thrown).message;
		const group = causes.get(cause);
		if (group) group.push(one);
		else causes.set(cause, [one]);
	}
	return [...causes.values()].map((group) => {
		const [{ item, thrown }] = group;
		if (isOnly) return formatInvalid(thrown).message;
		if (group.length === 1) return formatInvalid(thrown, item).message;
		const numbers = group.slice(0, MAX_NUMBERS).map((one) => one.item);
		const more = group.length > MAX_NUMBERS ? ' …' : '';
		const location = ` in ${group.length} input items (${numbers.join(', ')}${more})`;
		return formatInvalidAt(thrown, location).message;
	});
}

export function messageOf(thrown: unknown): string {
	return isError(thrown) ? thrown.message : String(thrown);
}

/** Whether something is an error. Errors of n8n's sandboxes are not instances of this realm's `Error`. */
export function isError(thrown: unknown): thrown is Error {
	return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** Escapes text for the content of an HTML element, where quotes need no escaping. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
