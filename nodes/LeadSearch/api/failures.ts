/** All failures of requests to the lead service, as data. `messages/failures.ts` has their messages. */
import { findMessage } from './errorBody';

/** The consequences that all failures of one kind have. A consequence that is left out doesn't apply. */
interface Consequences {
	isRetried?: boolean;
	/** Whether every other request would also fail. If so, no more requests are sent in this execution. */
	endsTheExecution?: boolean;
	mayBeCharged?: boolean;
	/** Whether the response may have been charged and lost because it was large or slow. */
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

/** The name of a kind of failure, for example `noCredits`. */
export type FailureKind = keyof typeof KINDS;
/**
 * The consequences by kind of failure: whether a failure is retried, may have been charged, and ends the execution.
 */
export const CONSEQUENCES: Readonly<Record<FailureKind, Consequences>> = KINDS;

/** A failed request, as data from which the message for the user is made. */
export interface Failure {
	kind: FailureKind;
	/** The HTTP status of the response; undefined if there was no response. */
	status?: number;
	/**
	 * The text that explains the failure: the message of the service or of n8n, the target of a redirect, or a size
	 * limit. It is untrusted, but contains no secrets.
	 */
	text?: string;
	/**
	 * Advice for the user, for example "Set 'Page Size' to 100." Undefined if the response doesn't show what the user
	 * can do.
	 */
	advice?: string;
	/**
	 * The error code of Node.js, such as ECONNREFUSED. If this package's own timeout ended the request, the code is
	 * ETIMEDOUT.
	 */
	code?: string;
	/**
	 * Whether this failure may have been charged although its kind usually isn't. An example is a cancelled request
	 * that was already sent.
	 */
	mayBeCharged?: boolean;
	/** The time for which the service asks the client to wait before a retry (Retry-After), in milliseconds. */
	retryAfterMs?: number;
}

/** The requested value, or why there is none. Failures of the service are values, not exceptions. */
export type ValueOrFailure<Value> = { value: Value } | { failure: Failure };

/**
 * Whether a failed request may have been charged (contract, "Credit model").
 *
 * - A lost, unreadable or too large response: yes. A cancelled request: only if it was already sent.
 * - A 413 or 504: yes, because the service can have charged before the gateway gave up. A 500, 502 or 503: it never
 * counts as charged, whatever its body is, so that a night of maintenance can't use up a limit.
 * - A 2xx without JSON or without a list of rows: yes. A 2xx with `success: false` and without rows: no.
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

/**
 * Whether a string starts like a JSON object or array. This quick test finds responses that aren't JSON, for example
 * the HTML page of another server.
 */
export function looksLikeJson(text: string): boolean {
	return /^\s*[{[]/.test(text);
}

/**
 * The kind of failure for each HTTP status (contract, "Errors"). All other 4xx are `refused`, and all other 5xx are
 * `serverDown`.
 */
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

/**
 * Reads a Retry-After header, which contains a number of seconds or an HTTP date.
 *
 * @returns the wait in milliseconds, counted from `now`; undefined if the header contains neither
 */
function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /^[a-z]{3,9}, .* GMT$/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
