import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from '../accounts/accountStore';
import type { FaultKind } from '../faults/fault';

/** One request, as the service saw it. The object changes until the answer is out. */
export class LoggedRequest {
	/** Id of the account whose secret was shown, null when it is nobody's. */
	account: string | null = null;
	/** The header that carried a credential, null when none did. */
	headerStyle: Credential['headerStyle'] = null;
	/** As parsed, defaults not filled in; a long list of URLs is cut to its ends and its count. */
	body: unknown = undefined;
	/** Page and page size asked for, defaults filled in; null when the path has no pages. */
	page: number | null = null;
	perPage: number | null = null;
	/** Null when the connection went before the answer was out, whoever cut it. */
	status: number | null = null;
	/** Rows of the normal answer, even when a fault kept it from the client. */
	rows = 0;
	/** Credits. */
	charged = 0;
	/** Faults that were injected. */
	faults: FaultKind[] = [];
	/** Whether the client went away before the answer was out. */
	aborted = false;

	/**
	 * @param seq counts from 1 over all requests of the service
	 * @param path without the query
	 * @param inFlight requests that were in flight when it arrived, itself included
	 */
	constructor(
		readonly seq: number,
		readonly method: string,
		readonly path: string,
		readonly headers: IncomingHttpHeaders,
		readonly inFlight: number,
	) {}
}

/** URLs up to which a list is logged whole. */
const LONGEST_LIST = 1_000;
/** Requests that the log keeps. */
const KEPT_REQUESTS = 20_000;
/** Requests, the latest ones, that keep their lists of URLs. */
const WITH_URLS = 500;

/** The last requests of a service. */
export class RequestLog {
	/** Those that the log still has, oldest first. */
	readonly requests: LoggedRequest[] = [];
	private lastSeq = 0;
	private inFlight = 0;
	private readonly changes = new EventEmitter().setMaxListeners(0);

	/** Notes that a request arrived. Call `ended` when its connection or its answer is done. */
	arrived(method: string, path: string, headers: IncomingHttpHeaders): LoggedRequest {
		const request = new LoggedRequest(++this.lastSeq, method, path, headers, ++this.inFlight);
		this.requests.push(request);
		const old = this.requests.at(-WITH_URLS - 1);
		if (old !== undefined) old.body = condensed(old.body, 0);
		if (this.requests.length > KEPT_REQUESTS) this.requests.shift();
		return request;
	}

	/** Notes who asks for what, and which faults are injected. */
	understood(request: LoggedRequest, known: Partial<LoggedRequest>): void {
		Object.assign(request, known, { body: condensed(known.body, LONGEST_LIST) });
		this.changes.emit('change');
	}

	/** Notes that the answer is out, or that the connection is gone. */
	ended(): void {
		this.inFlight--;
		this.changes.emit('change');
	}

	/** Resolves when no answer is outstanding and every cut connection is noted. */
	async idle(): Promise<void> {
		while (this.inFlight > 0) await once(this.changes, 'change');
	}

	/** The first request, logged already or still to come, that the predicate wants. */
	async when(wanted: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
		for (;;) {
			const found = this.requests.find(wanted);
			if (found !== undefined) return found;
			await once(this.changes, 'change');
		}
	}
}

/** The body itself, or one that has a summary in place of a list longer than `longest`. */
function condensed(body: unknown, longest: number): unknown {
	const { linkedinUrls: urls } = Object(body) as { linkedinUrls?: unknown[] };
	if (!Array.isArray(urls) || urls.length <= longest) return body;
	const summary = { count: urls.length, first: urls[0], last: urls.at(-1) };
	return { ...Object(body), linkedinUrls: summary };
}
