import type { IncomingHttpHeaders } from 'node:http';
import type { Credential, HeaderStyle } from '../accounts/credential';
import type { FaultKind } from '../faults/fault';

/** One request, as the service saw it. The object changes until the answer is out. */
export interface LoggedRequest {
	/** Counts from 1 over all requests of the service. */
	readonly seq: number;
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Id of the account whose secret was shown, null when it is nobody's. */
	account: string | null;
	/** The header that carried a credential, null when none did. */
	headerStyle: HeaderStyle | null;
	/** As parsed, defaults not filled in; a long list of URLs is cut to its ends and its count. */
	body: unknown;
	/** Page and page size asked for, defaults filled in; null when the path has no pages. */
	page: number | null;
	perPage: number | null;
	/** Null when the connection went before the answer was out, whoever cut it. */
	status: number | null;
	/** Rows of the normal answer, even when a fault kept it from the client. */
	rows: number;
	/** Credits. */
	charged: number;
	/** Rows of the whole result in the answer: from the first, counted from 0, to before `to`. */
	range: { from: number; to: number } | null;
	/** Faults that were injected. */
	faults: FaultKind[];
	/** Whether the client went away before the answer was out. */
	aborted: boolean;
	/** Requests that were in flight when it arrived, itself included. */
	inFlight: number;
}

/** URLs up to which a list is logged whole. */
const LONGEST_LIST = 1_000;
/** Requests that the log keeps. */
const KEPT_REQUESTS = 20_000;
/** Requests, the latest ones, that keep their lists of URLs. */
const WITH_URLS = 500;

type Predicate = (request: LoggedRequest) => boolean;

/** The last requests of a service. */
export class RequestLog {
	private readonly requests: LoggedRequest[] = [];
	private lastSeq = 0;
	private inFlight = 0;
	private readonly waitingForIdle: Array<() => void> = [];
	private waiting: Array<{ wanted: Predicate; resolve: (request: LoggedRequest) => void }> = [];

	/** Notes that a request arrived. Call `ended` when its connection or its answer is done. */
	arrived(method: string, path: string, headers: IncomingHttpHeaders): LoggedRequest {
		const request: LoggedRequest = {
			seq: ++this.lastSeq,
			method,
			path,
			headers,
			account: null,
			headerStyle: null,
			body: undefined,
			page: null,
			perPage: null,
			status: null,
			rows: 0,
			charged: 0,
			range: null,
			faults: [],
			aborted: false,
			inFlight: ++this.inFlight,
		};
		this.requests.push(request);
		const old = this.requests.at(-WITH_URLS - 1);
		if (old !== undefined) old.body = condensed(old.body, 0);
		if (this.requests.length > KEPT_REQUESTS) this.requests.shift();
		return request;
	}

	/** Notes who asks for what, and which faults are injected. */
	understood(
		request: LoggedRequest,
		credential: Credential,
		body: unknown,
		faults: FaultKind[],
	): void {
		request.account = credential.owner?.account.id ?? null;
		request.headerStyle = credential.headerStyle;
		request.body = condensed(body, LONGEST_LIST);
		request.faults = faults;
		this.tell(request);
	}

	/** Notes that the answer is out, or that the connection is gone. */
	ended(request: LoggedRequest): void {
		this.inFlight--;
		this.tell(request);
		if (this.inFlight > 0) return;
		for (const resolve of this.waitingForIdle.splice(0)) resolve();
	}

	/** Resolves when no answer is outstanding and every cut connection is noted. */
	idle(): Promise<void> {
		if (this.inFlight === 0) return Promise.resolve();
		return new Promise((resolve) => this.waitingForIdle.push(resolve));
	}

	/** The requests that the log still has, oldest first. */
	all(): LoggedRequest[] {
		return [...this.requests];
	}

	/** The first request, logged already or still to come, that the predicate wants. */
	when(wanted: Predicate): Promise<LoggedRequest> {
		const known = this.requests.find(wanted);
		if (known !== undefined) return Promise.resolve(known);
		return new Promise((resolve) => this.waiting.push({ wanted, resolve }));
	}

	private tell(request: LoggedRequest): void {
		const met = this.waiting.filter(({ wanted }) => wanted(request));
		if (met.length === 0) return;
		this.waiting = this.waiting.filter((one) => !met.includes(one));
		for (const { resolve } of met) resolve(request);
	}
}

/** The body itself, or one that has a summary in place of a list longer than `longest`. */
function condensed(body: unknown, longest: number): unknown {
	const { linkedinUrls: urls } = Object(body) as { linkedinUrls?: unknown[] };
	if (!Array.isArray(urls) || urls.length <= longest) return body;
	const summary = { count: urls.length, first: urls[0], last: urls.at(-1) };
	return { ...Object(body), linkedinUrls: summary };
}
