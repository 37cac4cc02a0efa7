/** Which requests a fault meets; every field that is there must fit. */
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
	/** How many requests it meets: 1 unless said otherwise. */
	times?: number | 'always';
}

/**
 * What goes wrong. Kinds with `charge` leave the request unhandled unless it is true; then it is
 * handled and charged first, as if the answer had got lost behind the fault.
 */
export type FaultAction =
	/** This answer instead of the normal one. */
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			/** A string is sent as it is, anything else as JSON. */
			body?: unknown;
			contentType?: string;
			charge?: boolean;
	  }
	/** The request is handled so many milliseconds later. */
	| { kind: 'latency'; ms: number }
	/** The connection is cut: before the request is handled, or charged but before any answer. */
	| { kind: 'loseBeforeAnswer' }
	| { kind: 'loseAfterAnswer' }
	/** Charged, and the connection is cut after half of the answer's body. */
	| { kind: 'loseMidAnswer' }
	/** No answer, until the client leaves or the service closes. */
	| { kind: 'hang'; charge?: boolean }
	/** An HTML page with status 200. */
	| { kind: 'notJson'; charge?: boolean }
	/** The first half of the answer as a complete 200; charged unless `charge` is false. */
	| { kind: 'truncatedJson'; charge?: boolean }
	/** The answer is labelled as gzip and is not; charged unless `charge` is false. */
	| { kind: 'wrongEncoding'; charge?: boolean }
	/** The answer has more than 20 kB of headers; charged unless `charge` is false. */
	| { kind: 'hugeHeaders'; charge?: boolean }
	/** Status 302 unless said otherwise. */
	| { kind: 'redirect'; location: string; status?: 301 | 302 | 303 | 307 | 308 }
	/** Any body with status 200. */
	| { kind: 'raw'; body: string; contentType?: string; charge?: boolean }
	/** A 200 whose JSON body keeps coming slowly and never ends. */
	| { kind: 'endless'; charge?: boolean }
	/** A 200 with a valid JSON body of exactly so many bytes (at least 64). */
	| { kind: 'huge'; bytes: number; charge?: boolean }
	/** These fields laid over the normal answer, after charging; its schema isn't checked again. */
	| { kind: 'merge'; merge: Record<string, unknown> }
	/** Any change of the normal answer, after charging; only from inside the process. */
	| { kind: 'patch'; patch: (answer: unknown) => unknown };

/** A fault on demand. */
export type Fault = FaultMatch & FaultAction;

/** The name of a fault's action. */
export type FaultKind = FaultAction['kind'];
