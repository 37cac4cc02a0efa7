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
 * Returns the cause by which n8n 2.41 and later choose how long to wait before the next poll. Some failures have no
 * cause, because n8n knows their HTTP status. A request that may have been charged has no transient cause, because n8n
 * must not treat it like one that cost nothing.
 */
function declareCause(failure: Failure): Declared | undefined {
	const { kind, retryAfterMs } = failure;
	const cause = mayHaveBeenCharged(failure) ? undefined : TRANSIENT_CAUSES[kind];
	return cause ? { cause, ...(retryAfterMs && { retryAfterMs }) } : PERMANENT_CAUSES[kind];
}

/**
 * Creates the error of a failed request, or of a poll without new leads. It contains neither the request nor the
 * response, because the request contains the secret of the credential.
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

const NOTHING_SENT =
	'Check the parameters and the credential of the node. Nothing was sent or charged for this item.';

export function formatSeveralAccounts(first: number, item: number): ErrorText {
	return {
		message: `Input items ${first} and ${item} use different credentials`,
		description:
			'Process the items one at a time with Loop Over Items. The credential contains an expression, and a run can use only one account. Nothing was sent or charged.',
	};
}

/** Returns the message for an exception that reading parameters has thrown. `location` is like ' in the credential'. */
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

const MAX_NAMED = 20;

/**
 * Creates one error for all invalid input items. The message describes the first cause, and the description lists up to
 * MAX_NAMED others. If the first item's error comes from n8n, the new error contains it, because the editor shows its
 * details.
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

/** Returns one message for each cause: "'Base URL' in 2 input items (0, 4) is empty". */
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
 * `instanceof Error` isn't enough: an error from one of n8n's sandboxes is an instance of the sandbox's own `Error`.
 */
export function isError(thrown: unknown): thrown is Error {
	return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** The result is for the content of an element, where quotes need no escaping. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
