/**
 * What can go wrong between the node and the lead service, as data. Which one it is comes from the
 * status of the response or from the network's code; what people read about it stands in
 * `messages/failures.ts`.
 */

/** What follows from a kind of failure; nothing of it unless given. */
interface Consequences {
	/** Whether the request is repeated. */
	isRetried?: boolean;
	/** Whether any other request would fail the same way, so that nothing more is sent. */
	endsTheExecution?: boolean;
	/** Whether it may have been charged, whatever its status. */
	mayBeCharged?: boolean;
}

const KINDS = {
	/** 401 (contract, "Errors"). */
	unauthorized: { endsTheExecution: true },
	/** 402: the balance doesn't cover a single further row. */
	noCredits: { endsTheExecution: true },
	/** 400, 413, 422 and other 4xx: the request was understood and refused. */
	refused: {},
	/** 404, a redirect; a 2xx with HTML, nothing, not JSON, or JSON without rows. */
	notTheService: { endsTheExecution: true },
	/** 429. */
	tooManyRequests: { isRetried: true },
	/** 500 and other 5xx. */
	serverDown: { isRetried: true },
	/** 502, 503, 504: what stands behind the service doesn't answer. */
	upstreamDown: { isRetried: true },
	/** Refused connection, unknown host: nothing was sent. */
	unreachable: { isRetried: true, endsTheExecution: true },
	/** n8n would not send the request (host not allowed, say). */
	notSent: { endsTheExecution: true },
	/** Connection lost or timed out after sending. */
	lostResponse: { isRetried: true, mayBeCharged: true },
	/** The response is complete but too large or can't be decoded, as it would be again. */
	unreadable: { mayBeCharged: true },
	/** `success: false` in a 2xx. */
	unsuccessful: {},
	/** The response contradicts the contract or itself; its rows were charged and are kept. */
	protocolViolation: {},
	/** The execution was cancelled, timed out or n8n shuts down. */
	cancelled: { endsTheExecution: true },
} satisfies Record<string, Consequences>;

export type FailureKind = keyof typeof KINDS;

export interface Failure {
	kind: FailureKind;
	/** HTTP status, where there was a response. */
	status?: number;
	/** What the service or n8n said, untrusted; without secrets. */
	text?: string;
	/** Where a redirect points, untrusted. */
	location?: string;
	/** The network's code, such as ECONNREFUSED. */
	code?: string;
	/** Whether it was our own timeout that ended the request. */
	timedOut?: boolean;
	/** Whether the response was larger than what is read. */
	tooLarge?: boolean;
	/** Whether a request was on its way when the execution was cancelled. */
	inFlight?: boolean;
	/** Whether a 5xx doesn't come from the service itself: its body isn't JSON. */
	isForeign?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** Whether it was only the question whether more rows follow that failed. */
	atEndProbe?: boolean;
}

/** What was requested, or why it can't be had. Failures of the service are values, not exceptions. */
export type Outcome<Value> = { value: Value } | { failure: Failure };

/**
 * Whether the service may have charged for a response that never reached us, or that holds no rows
 * although it is a 2xx (contract, "Credit model": credits are spent when rows are returned).
 */
export function mayHaveBeenCharged({ kind, status = 0, inFlight, isForeign }: Failure): boolean {
	if (kind === 'notTheService') return status >= 200 && status < 300;
	// A gateway doesn't know what the service behind it has done, or does after a 504.
	const isGateway = status === 504 || isForeign === true;
	return isGateway || inFlight === true || consequencesOf(kind).mayBeCharged === true;
}

/** Whether the service refuses a request in a way that may be about its size. */
export function isRefusal({ kind, status = 0 }: Failure): boolean {
	return kind === 'refused' && [400, 413, 422].includes(status);
}

export function endsTheExecution({ kind }: Failure): boolean {
	return consequencesOf(kind).endsTheExecution === true;
}

export function isRetried({ kind }: Failure): boolean {
	return consequencesOf(kind).isRetried === true;
}

function consequencesOf(kind: FailureKind): Consequences {
	return KINDS[kind];
}

/**
 * Maps a status that isn't 2xx.
 *
 * @param text what the service itself says, if anything
 * @param headers as Node gives them, lower-case names
 */
export function failureFromStatus(
	status: number,
	headers: Record<string, unknown>,
	text: string | undefined,
	now: number,
): Failure {
	const seen = { status, text };
	if (status === 401) return { ...seen, kind: 'unauthorized' };
	if (status === 402) return { ...seen, kind: 'noCredits' };
	if (status === 404) return { status, kind: 'notTheService' };
	if (status < 400) {
		const location = typeof headers.location === 'string' ? headers.location : undefined;
		return { status, kind: 'notTheService', location };
	}
	const retryAfterMs = readRetryAfter(headers['retry-after'], now);
	if (status === 429) return { ...seen, kind: 'tooManyRequests', retryAfterMs };
	if (status < 500) return { ...seen, kind: 'refused' };
	const kind = [502, 503, 504].includes(status) ? 'upstreamDown' : 'serverDown';
	return { ...seen, kind, retryAfterMs };
}

/** How Node names what is wrong with a host's certificate, which it checks before anything is sent. */
const CERTIFICATE_CODE =
	/^CERT_|_CERT(?:_|$)|^CRL_|_CRL(?:_|$)|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;

/** Whether a code means that a host's certificate can't be trusted. */
export function isCertificateCode(code: string): boolean {
	return CERTIFICATE_CODE.test(code);
}

/** Codes that mean that no connection came about, so nothing was sent or charged. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EAI_FAIL',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EHOSTDOWN',
	'EADDRNOTAVAIL',
	'EPROTO',
]);

const OUR_TIMEOUT = new Set(['ECONNABORTED', 'ETIMEDOUT']);

/** How zlib and Node's HTTP parser name a response that they can't decode. */
const UNDECODABLE = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_|HPE_)/;

/** Whether a complete response came that can't be decoded, so that asking again would be no use. */
export function isUndecodable(thrown: unknown): boolean {
	return UNDECODABLE.test(findCode(thrown) ?? '');
}

/**
 * Maps what n8n's request helper threw. Without a network code nothing left n8n.
 *
 * @param thrown an error of any make; the code is looked for along its causes
 */
export function failureFromNetwork(thrown: unknown): Failure {
	const code = findCode(thrown);
	if (code === undefined || code.startsWith('ERR_INVALID')) {
		const text = thrown instanceof Error ? thrown.message : undefined;
		return { kind: 'notSent', code, text };
	}
	if (UNDECODABLE.test(code)) return { kind: 'unreadable', code };
	if (NOT_CONNECTED.has(code) || isCertificateCode(code)) return { kind: 'unreachable', code };
	return { kind: 'lostResponse', code, timedOut: OUR_TIMEOUT.has(code) };
}

/**
 * Reads a Retry-After header, in seconds or as an HTTP date.
 *
 * @returns milliseconds from `now`, or undefined where the header says nothing usable
 */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	if (!/^[a-z]{3,9}, .* GMT$/i.test(text)) return undefined;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function findCode(thrown: unknown): string | undefined {
	let current = thrown;
	for (let depth = 0; depth < 5; depth++) {
		if (typeof current !== 'object' || current === null) return undefined;
		const { code, cause } = current as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		current = cause;
	}
	return undefined;
}
