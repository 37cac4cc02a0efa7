/** The errors that n8n shows. The editor renders descriptions as HTML: plain text becomes HTML here alone. */
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

/** What somebody has to set right before the same can succeed. */
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
 * Says why something failed as n8n's back-off of polls understands it; versions before 2.41 ignore that.
 *
 * @returns undefined for kinds of which n8n is to judge by the status alone, and for a lost answer, a 504 among
 * them: it may have been charged, so nothing says that asking again is free
 */
function declareCause(failure: Failure): Declared | undefined {
	const { kind, retryAfterMs } = failure;
	const cause = mayHaveBeenCharged(failure) ? undefined : TRANSIENT_CAUSES[kind];
	return cause ? { cause, ...(retryAfterMs && { retryAfterMs }) } : PERMANENT_CAUSES[kind];
}

/**
 * For a failure of the service. Nothing of the request or the answer goes along, so no secret can.
 *
 * @param about the failure, whose status and cause n8n is told; undefined where what may be spent was spent, and
 * the input item that it is about
 */
export function serviceError(
	node: INode,
	{ message, description }: ErrorText,
	{ failure, item }: { failure: Failure | undefined; item: number },
): NodeApiError {
	const httpCode = failure?.status?.toString();
	const options = { message, itemIndex: item, httpCode, failure: failure && declareCause(failure) };
	const error = new NodeApiError(node, {}, options);
	// n8n puts a stock phrase in place of messages that happen to contain a network code.
	error.message = message;
	error.description = escapeHtml(description);
	return error;
}

/** For what can't be used: a parameter or the credential. */
export function configurationError(
	node: INode,
	{ message, description }: ErrorText,
): NodeOperationError {
	return new NodeOperationError(node, message, {
		description: escapeHtml(description),
		failure: INVALID_CONFIGURATION,
	});
}

/** On n8n 1 an error item without a description would go out as a lead. */
const NOTHING_SENT =
	'Check the parameters and the credential of the node. Nothing was sent or charged for this item.';

/** A credential with expressions comes to something else for some input items than for others. */
export function formatSeveralAccounts(first: number, item: number): ErrorText {
	return {
		message: `The credential is another one for input item ${item} than for input item ${first}`,
		description:
			'Let Loop Over Items hand them over one at a time: a run uses one account, and an expression gives several. Nothing was sent or charged.',
	};
}

/** @param where the input item that it is about, where there are several; or the credential */
export function formatInvalid(thrown: unknown, where?: number | 'credential'): ErrorText {
	if (thrown instanceof InvalidParameterError) {
		const { label, problem, description } = thrown;
		const ofItem = where === undefined ? '' : ` of input item ${where}`;
		const whose = where === 'credential' ? ' in the credential' : ofItem;
		return { message: `'${label}'${whose} ${problem}`, description };
	}
	const description = thrown instanceof NodeOperationError ? thrown.description : undefined;
	return { message: messageOf(thrown), description: description ?? NOTHING_SENT };
}

/** An input item that can't be used, and what was thrown for it. */
export interface InvalidItem {
	item: number;
	thrown: unknown;
}

/** So many are named beside the first. */
const MAX_NAMED = 20;

/**
 * The error that stops the workflow: it names all input items that can't be used, so that nobody meets them one by
 * one. What n8n threw keeps what the editor shows of it.
 *
 * @param refused at least one @param isOnly whether there is one input item, which needs no number
 */
export function invalidItemsError(
	node: INode,
	[first, ...rest]: readonly InvalidItem[],
	isOnly: boolean,
): NodeOperationError {
	const { item = 0, thrown } = first ?? {};
	const { message, description } = formatInvalid(thrown, isOnly ? undefined : item);
	const isOfN8n = isError(thrown) && !(thrown instanceof InvalidParameterError);
	const failure = isOfN8n ? undefined : INVALID_CONFIGURATION;
	const options = { itemIndex: item, failure };
	const error = new NodeOperationError(node, isOfN8n ? thrown : message, options);
	error.description ??= escapeHtml(description);
	// What is wrong with all of them is said once.
	const texts = rest.map((invalid) => formatInvalid(invalid.thrown, invalid.item).message);
	const messages = [...new Set(texts)].filter((text) => text !== message);
	const named = messages.slice(0, MAX_NAMED);
	const more = messages.length > named.length ? `, and ${messages.length - named.length} more` : '';
	if (named.length > 0)
		error.description += escapeHtml(` The same holds for: ${named.join('; ')}${more}.`);
	return error;
}

export function messageOf(thrown: unknown): string {
	return isError(thrown) ? thrown.message : String(thrown);
}

/** Errors of n8n's sandboxes are no instances of our `Error`. */
export function isError(thrown: unknown): thrown is Error {
	return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** Text as the content of an HTML element. Quotes need no care there, and read better untouched. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
