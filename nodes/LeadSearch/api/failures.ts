/** What can go wrong between the node and the lead service, as data; `messages/failures.ts` has the words. */
import { findMessage } from './errorBody';

/** What follows when something goes wrong. */
interface Consequences {
	isRetried?: boolean;
	/** Any other request would fail the same way, so that nothing more is sent. */
	endsTheExecution?: boolean;
	mayBeCharged?: boolean;
}

const KINDS = {
	unauthorized: { endsTheExecution: true },
	forbidden: {}, // the credential may not do this
	proxyLogin: { endsTheExecution: true }, // a proxy answered, which wants to know who asks
	noCredits: { endsTheExecution: true }, // the balance doesn't cover a single further row
	refused: {}, // understood, and not carried out
	notTheService: { endsTheExecution: true }, // 404, 405, a redirect; a 2xx that is no JSON or has no rows
	tooManyRequests: { isRetried: true },
	serverDown: { isRetried: true },
	upstreamDown: { isRetried: true }, // what stands behind the service doesn't answer
	unreachable: { isRetried: true, endsTheExecution: true }, // no connection: nothing was sent
	notSent: { endsTheExecution: true }, // n8n would not: host not allowed, say
	lostResponse: { isRetried: true, mayBeCharged: true }, // lost or timed out after sending
	unreadable: { mayBeCharged: true }, // complete but can't be decoded, as it would be again
	tooLarge: { mayBeCharged: true }, // more than what was asked for can take; `text` is the limit
	unsuccessful: {}, // `success: false` in a 2xx without rows; `text` is what it says
	protocolViolation: {}, // contradicts the contract or itself; its rows were charged and are kept
	cancelled: { endsTheExecution: true }, // by people, a timeout of the execution, or n8n that shuts down
} satisfies Record<string, Consequences>;

export type FailureKind = keyof typeof KINDS;
export const CONSEQUENCES: Readonly<Record<FailureKind, Consequences>> = KINDS;

export interface Failure {
	kind: FailureKind;
	status?: number;
	/** What the service or n8n said, or where a redirect points: untrusted; without secrets. */
	text?: string;
	/** What people can do about it, where that is known from what came. */
	advice?: string;
	/** The network's code, such as ECONNREFUSED; ETIMEDOUT where our own timeout ended the request. */
	code?: string;
	/** Whether it may have been charged although others of its kind are not. */
	mayBeCharged?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

/** What was requested, or why it can't be had. Failures of the service are values, not exceptions. */
export type ValueOrFailure<Value> = { value: Value } | { failure: Failure };

/**
 * Whether an answer that never reached us, or a 2xx without rows, may have been charged (contract, "Credit model"). A
 * 504 is an answer that came too late; a 502 or 503 is none, whoever says it, in JSON or as a page of maintenance.
 */
export function mayHaveBeenCharged({ kind, status, mayBeCharged = false }: Failure): boolean {
	if (kind === 'notTheService') return isSuccess(status);
	const isGatewayTimeout = kind === 'upstreamDown' && status === 504;
	return mayBeCharged || isGatewayTimeout || CONSEQUENCES[kind].mayBeCharged === true;
}

export function endsTheExecution({ kind }: Failure): boolean {
	return CONSEQUENCES[kind].endsTheExecution === true;
}

/** Whether the service refuses a request in a way that may be about its size. */
export function isRejection({ status = 0 }: Failure): boolean {
	return [400, 413, 422].includes(status);
}

export function isSuccess(status = 0): boolean {
	return status >= 200 && status <= 299;
}

export function looksLikeJson(text: string): boolean {
	return /^\s*[{[]/.test(text);
}

/** What a status means (contract, "Errors"); the other 4xx are refusals, the other 5xx server errors. */
const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
	401: 'unauthorized',
	402: 'noCredits',
	403: 'forbidden',
	404: 'notTheService',
	405: 'notTheService', // as web servers answer a POST to where pages are
	407: 'proxyLogin',
	429: 'tooManyRequests',
	502: 'upstreamDown',
	503: 'upstreamDown',
	504: 'upstreamDown',
};

/** @param status not 2xx @param headers with names in lower case */
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

/** @returns milliseconds from `now`; undefined where the header holds neither seconds nor an HTTP date */
function readRetryAfter(header: unknown, now: number): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = /^[a-z]{3,9}, .* GMT$/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
