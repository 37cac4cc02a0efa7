/** Creates the errors that n8n shows. The editor renders descriptions as HTML, so this file escapes them. */
import {
	NodeApiError,
	NodeOperationError,
	type Failure as Declared,
	type INode,
	type TimedCause,
} from 'n8n-workflow';

import type { Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure, type FailureKind } from '../api/failures';
import { InvalidParameterError } from '../parameters/invalidParameter';
import type { ErrorText } from './failures';
import { locateItems } from './inputItem';

/**
 * The cause that n8n gets for an error in the configuration of the node, of the credential or of n8n's environment. The
 * user has to correct the configuration before another attempt can succeed. See {@link declareCause}.
 */
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
 * Returns the cause of a failure in n8n's terms, for example `{ cause: 'rate-limited' }` after a 429. From the cause,
 * n8n 2.41 and later choose how long to wait before the next poll; earlier versions ignore the cause.
 *
 * @returns undefined in two cases. If the HTTP status is enough for that choice, such as a 403, n8n needs no cause. If
 * the service may have charged for the request, such as after a 504, n8n must not treat the failure like one that cost
 * nothing
 */
function declareCause(failure: Failure): Declared | undefined {
	const { kind, retryAfterMs } = failure;
	const cause = mayHaveBeenCharged(failure) ? undefined : TRANSIENT_CAUSES[kind];
	return cause ? { cause, ...(retryAfterMs && { retryAfterMs }) } : PERMANENT_CAUSES[kind];
}

/**
 * Creates the error for a failure of the service. The error object contains neither the request nor the response,
 * because the request contains the secret of the credential.
 *
 * @param about `failure` gives n8n the HTTP status and the cause. It is undefined if no request failed, for example if
 * a poll got only leads that were delivered before. `item` is the index of the input item
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
 * The description for an error that has none of its own. n8n 1 needs a description: without one, it doesn't recognise
 * an error item, and outputs the item among the leads.
 */
const NOTHING_SENT =
	'Check the parameters and the credential of the node. Nothing was sent or charged for this item.';

export function formatSeveralAccounts(first: number, item: number): ErrorText {
	return {
		message: `Input items ${first} and ${item} use different credentials`,
		description:
			'Process the items one at a time with Loop Over Items. The credential contains an expression, and a run can use only one account. Nothing was sent or charged.',
	};
}

/** @param location the place of an invalid value, such as ' in the credential' */
export function formatInvalid(thrown: unknown, location = ''): ErrorText {
	if (thrown instanceof InvalidParameterError)
		return { message: thrown.messageAt(location), description: thrown.description };
	const description = thrown instanceof NodeOperationError ? thrown.description : undefined;
	return { message: messageOf(thrown), description: description ?? NOTHING_SENT };
}

export interface InvalidItem {
	item: number;
	thrown: unknown;
}

/**
 * The most messages that the description of an error lists after its own message ("Messages for other input items: …").
 * The description says how many more there are.
 */
const MAX_NAMED = 20;

/**
 * Creates the error that stops the workflow because of invalid input items. The message describes the first cause. The
 * description lists up to MAX_NAMED other causes, so that a user can correct all of them together.
 *
 * The first item's error may come from n8n itself, for example because an expression can't be evaluated. The new error
 * then contains that error, because the editor shows its details.
 *
 * @param invalid at least one item
 * @param inputs all input items. If there is only one, the messages don't name it
 */
export function invalidItemsError(
	node: INode,
	invalid: readonly InvalidItem[],
	inputs: readonly Json[],
): NodeOperationError {
	const [first] = invalid;
	const { item = 0, thrown } = first ?? {};
	const [message = '', ...others] = formatCauses(invalid, inputs);
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
 * Groups invalid input items by cause, and formats a message for each cause.
 *
 * @returns one message for each cause, with the input items that have it: "'Base URL' in 2 input items (0, 4) is empty"
 */
function formatCauses(invalid: readonly InvalidItem[], inputs: readonly Json[]): string[] {
	const causes = new Map<string, [InvalidItem, ...InvalidItem[]]>();
	for (const one of invalid) {
		const cause = formatInvalid(one.thrown).message;
		const group = causes.get(cause);
		if (group) group.push(one);
		else causes.set(cause, [one]);
	}
	return [...causes.values()].map((group) => {
		const [{ thrown }] = group;
		const items = group.map(({ item }) => item);
		return formatInvalid(thrown, locateItems(items, inputs)).message;
	});
}

export function messageOf(thrown: unknown): string {
	return isError(thrown) ? thrown.message : String(thrown);
}

/**
 * Whether a thrown value is an error. `instanceof Error` isn't enough: an error from one of n8n's sandboxes is an
 * instance of the sandbox's own `Error` class.
 */
export function isError(thrown: unknown): thrown is Error {
	return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** Escapes text for the content of an HTML element, where quotes need no escaping. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
