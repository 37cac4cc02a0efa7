/** All failures of requests to the lead service, as data. `messages/failures.ts` has their messages. */
import { findMessage } from './errorBody';

/** The consequences of a kind of failure: whether it is retried, charged, and ends the execution. */
interface Consequences {
	isRetried?: boolean;
	/** Every other request would also fail, so no more requests are sent in this execution. */
	endsTheExecution?: boolean;
	mayBeCharged?: boolean;
}

const KINDS = {
	unauthorized: { endsTheExecution: true },
	forbidden: {}, // the credential lacks a permission
	proxyLogin: { endsTheExecution: true }, // a proxy requires a login
	noCredits: { endsTheExecution: true }, // the balance is too low for even one more row
	refused: {}, // the service rejected the request, because of its parameters for example
	notTheService: { endsTheExecution: true }, // 404, 405, a redirect, or a 2xx without JSON or rows
	tooManyRequests: { isRetried: true },
	serverDown: { isRetried: true },
	upstreamDown: { isRetried: true }, // a system behind the service doesn't respond
	unreachable: { isRetried: true, endsTheExecution: true }, // no connection, so nothing was sent
	notSent: { endsTheExecution: true }, // n8n didn't send it, because it doesn't allow the host for example
	lostResponse: { isRetried: true, mayBeCharged: true }, // lost, or timed out, after the request was sent
	unreadable: { mayBeCharged: true }, // complete, but can't be decoded; a retry would be the same
	tooLarge: { mayBeCharged: true }, // larger than the requested rows can be; `text` is the limit
	unsuccessful: {}, // `success: false` in a 2xx without rows; `text` is the service's message
	protocolViolation: {}, // violates the contract; its rows were charged and are cached
	cancelled: { endsTheExecution: true }, // by the user, by the execution's timeout, or because n8n shuts down
} satisfies Record<string, Consequences>;

/** Names of the kinds of failures. */
export type FailureKind = keyof typeof KINDS;
/** The consequences of each kind of failure. */
export const CONSEQUENCES: Readonly<Record<FailureKind, Consequences>> = KINDS;

/** A failed request. */
export interface Failure {
	kind: FailureKind;
	/** HTTP status of the response, if there was one. */
	status?: number;
	/** The message of the service or n8n, or the target of a redirect. Untrusted text, but without secrets. */
	text?: string;
	/** Advice for the user, if the response shows what to do. */
	advice?: string;
	/** Node's error code, such as ECONNREFUSED. It is ETIMEDOUT if our own timeout ended the request. */
	code?: string;
	/** Whether this failure may have been charged although others of its kind aren't. */
	mayBeCharged?: boolean;
	/** How long the service asks us to wait before a retry (Retry-After), in milliseconds. */
	retryAfterMs?: number;
}

/** The requested value, or why there is none. Failures of the service are values, not exceptions. */
export type ValueOrFailure<Value> = { value: Value } | { failure: Failure };

/**
 * Whether a request without a usable response may have been charged (contract, "Credit model"). A 504 may have been:
 * the service can have charged before the gateway gave up. A 502 or 503 is never charged, whatever its body is. A 2xx
 * without rows may have been charged.
 */
export function mayHaveBeenCharged({ kind, status, mayBeCharged = false }: Failure): boolean {
	if (kind === 'notTheService') return isSuccess(status);
	const isGatewayTimeout = kind === 'upstreamDown' && status === 504;
	return mayBeCharged || isGatewayTimeout || CONSEQUENCES[kind].mayBeCharged === true;
}

/** Whether the failure ends the execution, so that no further request is sent. */
export function endsTheExecution({ kind }: Failure): boolean {
	return CONSEQUENCES[kind].endsTheExecution === true;
}

/** Whether the service rejected the request as invalid. A page size that is too large can be the reason. */
export function isRejection({ status = 0 }: Failure): boolean {
	return [400, 413, 422].includes(status);
}

/** Whether a status is a 2xx. */
export function isSuccess(status = 0): boolean {
	return status >= 200 && status <= 299;
}

/** Whether a text starts like a JSON object or array. */
export function looksLikeJson(text: string): boolean {
	return /^\s*[{[]/.test(text);
}

/**
 * The kind of failure for each status (contract, "Errors"). All other 4xx are `refused`, all other 5xx are
 * `serverDown`.
 */
const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
	401: 'unauthorized',
	402: 'noCredits',
	403: 'forbidden',
	404: 'notTheService',
	405: 'notTheService', // the response of a web server to a POST to one of its pages
	407: 'proxyLogin',
	429: 'tooManyRequests',
	502: 'upstreamDown',
	503: 'upstreamDown',
	504: 'upstreamDown',
};

/**
 * Converts a response that is not a 2xx into a failure.
 *
 * @param headers names in lower case
 * @param body text of the body, possibly truncated; undefined if it was lost
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

/** Returns milliseconds from `now`, or undefined if the header has neither seconds nor an HTTP date. */
function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /^[a-z]{3,9}, .* GMT$/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
