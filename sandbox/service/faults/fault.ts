/** Which requests a fault is injected into; every field that is there must fit. */
export interface FaultMatch {
	/** Id, API key or session token of the account. */
	account?: string;
	/** The whole path, such as `/api/public/search`. */
	path?: string;
	/** Page and page size asked for, defaults included. */
	page?: number;
	perPage?: number;
	/** From this request on, counting from 1 those that fit the fields above since it was added. */
	nthRequest?: number;
	/** How many requests it is injected into: 1 unless said otherwise. */
	times?: number | 'always';
}

/** What puts a request off, or changes its answer: any number of these may meet. */
type Change =
	/** The request is handled so many milliseconds later. */
	| { kind: 'latency'; ms: number }
	/** These fields laid over the normal answer, after charging; its schema isn't checked again. */
	| { kind: 'merge'; merge: Record<string, unknown> };

/**
 * What replaces or spoils the way an answer is sent. Kinds with `charge` leave the request unhandled
 * unless it is true; then it is handled and charged first, as if the answer had got lost behind the
 * fault. Those that spoil the normal answer are charged unless `charge` is false.
 */
export type SendingFault =
	/** This answer instead of the normal one; a string is sent as it is, anything else as JSON. */
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			body?: unknown;
			contentType?: string;
			charge?: boolean;
	  }
	/** Any body with status 200. */
	| { kind: 'raw'; body: string; contentType?: string; charge?: boolean }
	/** The connection is cut: before the request is handled, charged but before any answer, or after half of its body. */
	| { kind: 'loseBeforeAnswer' | 'loseAfterAnswer' | 'loseMidAnswer' }
	/** No answer, until the client leaves or the service closes. */
	| { kind: 'hang'; charge?: boolean }
	/** An HTML page with status 200. */
	| { kind: 'notJson'; charge?: boolean }
	/** The first half of the answer as a complete 200; labelled as gzip, which it is not; with more than 20 kB of headers. */
	| { kind: 'truncatedJson' | 'wrongEncoding' | 'hugeHeaders'; charge?: boolean }
	/** Status 302 unless said otherwise. */
	| { kind: 'redirect'; location: string; status?: 301 | 302 | 303 | 307 | 308 }
	/** A 200, unless said otherwise, whose JSON body keeps coming slowly and never ends. */
	| { kind: 'endless'; status?: number; charge?: boolean }
	/** A 200 with a valid JSON body of exactly so many bytes. */
	| { kind: 'huge'; bytes: number; charge?: boolean };

/** What goes wrong. */
export type FaultAction = Change | SendingFault;

/** A fault on demand. */
export type Fault = FaultMatch & FaultAction;

/** The name of a fault's action. */
export type FaultKind = FaultAction['kind'];

/** Whether the fault acts on how the answer is sent. */
export function isSending(fault: FaultAction): fault is SendingFault {
	return fault.kind !== 'latency' && fault.kind !== 'merge';
}

const CHARGED_BY_DEFAULT: ReadonlySet<FaultKind> = new Set([
	'loseAfterAnswer',
	'loseMidAnswer',
	'truncatedJson',
	'wrongEncoding',
	'hugeHeaders',
]);

/** Whether the request is handled, and so charged, before the fault is injected. */
export function chargesFirst(fault: SendingFault): boolean {
	return ('charge' in fault ? fault.charge : undefined) ?? CHARGED_BY_DEFAULT.has(fault.kind);
}
