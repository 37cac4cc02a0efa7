/** All failures of requests to the lead service. `messages/failures.ts` has their messages. */
import { findMessage } from './errorBody';

interface Consequences {
	isRetried?: boolean;
	/** Whether the run sends no more requests, even if On Error says to continue. */
	endsTheExecution?: boolean;
	mayBeCharged?: boolean;
	/** Whether later pages have at most 25 rows, because the size of the page may be the cause. */
	needsSmallPages?: boolean;
}

const KINDS = {
	unauthorized: { endsTheExecution: true },
	forbidden: {}, // the credential lacks a permission
	proxyLogin: { endsTheExecution: true }, // a proxy requires a login
	noCredits: { endsTheExecution: true }, // the balance is too low for even one more row
	refused: {}, // the service rejected the request, because of its parameters for example
	notTheService: { endsTheExecution: true }, // 404, 405, a redirect, or a 2xx without JSON or rows
	tooManyRequests: { isRetried: true },
	serverDown: { isRetried: true, needsSmallPages: true },
	upstreamDown: { isRetried: true, needsSmallPages: true }, // a system behind the service doesn't respond
	unreachable: { isRetried: true, endsTheExecution: true }, // no connection, so nothing was sent
	notSent: { endsTheExecution: true }, // n8n didn't send it, because it doesn't allow the host for example
	lostResponse: { isRetried: true, mayBeCharged: true, needsSmallPages: true }, // lost, or timed out, after the request was sent
	tooLargeForGateway: { endsTheExecution: true, mayBeCharged: true, needsSmallPages: true }, // the request or its response
	unreadable: { mayBeCharged: true }, // complete, but can't be decoded; a retry would be the same
	tooLarge: { mayBeCharged: true }, // larger than the requested rows can be; `text` is the limit
	unsuccessful: {}, // `success: false` in a 2xx without rows; `text` is the service's message
	protocolViolation: {}, // violates the contract; its rows were charged and are cached
	cancelled: { endsTheExecution: true }, // by the user, by the execution's timeout, or because n8n shuts down
} satisfies Record<string, Consequences>;

export type FailureKind = keyof typeof KINDS;
export const CONSEQUENCES: Readonly<Record<FailureKind, Consequences>> = KINDS;

export interface Failure {
	kind: FailureKind;
	status?: number;
	/** Text of the service or of n8n, a redirect's target, or a size limit. It is untrusted, but contains no secrets. */
	text?: string;
	/** What the user can do, for example "Set 'Page Size' to 100." */
	advice?: string;
	/** The error code of Node.js, or ETIMEDOUT if this package's own timeout ended the request. */
	code?: string;
	/** Whether a cancelled request was already sent, so that it may have been charged. */
	mayBeCharged?: boolean;
	/** The wait that the service asks for in Retry-After. */
	retryAfterMs?: number;
}

/** The requested value, or why there is none. Failures of the service are values, not exceptions. */
export type ValueOrFailure<Value> = { value: Value } | { failure: Failure };

/**
 * Whether a failed request may have been charged (contract, "Credit model"). A 413 or 504 may have been: the service
 * can charge before the gateway gives up. A 500, 502 or 503 never counts as charged, so that a night of maintenance
 * can't use up a limit.
 */
export function mayHaveBeenCharged({ kind, status, mayBeCharged = false }: Failure): boolean {
	if (kind === 'notTheService') return isSuccess(status);
	const isGatewayTimeout = kind === 'upstreamDown' && status === 504;
	return mayBeCharged || isGatewayTimeout || CONSEQUENCES[kind].mayBeCharged === true;
}

export function endsTheExecution({ kind }: Failure): boolean {
	return CONSEQUENCES[kind].endsTheExecution === true;
}

/** Whether the service rejected the request as invalid. A page size that is too large can be the reason. */
export function isRejection({ status = 0 }: Failure): boolean {
	return [400, 422].includes(status);
}

export function isSuccess(status = 0): boolean {
	return status >= 200 && status <= 299;
}

export function looksLikeJson(text: string): boolean {
	return /^\s*[{[]/.test(text);
}

/** Other statuses are `refused` (4xx) or `serverDown` (5xx). See "Errors" in the contract. */
const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
	401: 'unauthorized',
	402: 'noCredits',
	403: 'forbidden',
	404: 'notTheService',
	405: 'notTheService', // the response of a web server to a POST to one of its pages
	407: 'proxyLogin',
	413: 'tooLargeForGateway',
	429: 'tooManyRequests',
	502: 'upstreamDown',
	503: 'upstreamDown',
	504: 'upstreamDown',
};

/**
 * Converts a response that is not a 2xx into a failure.
 *
 * @param headers names in lower case
 * @param body possibly truncated; undefined if it was lost
 * @param now current time in milliseconds, for a Retry-After with a date
 */
export function failureFromStatus(
	status: number,
	headers: Record<string, unknown>,
	body: string | undefined,
	now: number,
): Failure {
	const { location, 'retry-after': retryAfter } = headers;
	if (status < 400) {
		const text = typeof location === 'string' ? location : undefined;
		return { kind: 'notTheService', status, text };
	}
	const kind = KIND_BY_STATUS[status] ?? (status < 500 ? 'refused' : 'serverDown');
	if (kind === 'notTheService') return { kind, status };
	const text = findMessage(body ?? '');
	const retryAfterMs = readRetryAfter(retryAfter, now);
	return { kind, status, text, retryAfterMs };
}

/** Reads a number of seconds or an HTTP date, and returns the wait in milliseconds. */
function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /^[a-z]{3,9}, .* GMT$/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
