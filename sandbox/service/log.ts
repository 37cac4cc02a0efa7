/** The log of all requests to the mock service. */
import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './accounts';
import type { FaultKind } from './faults';

/** One request. The object changes until the response is sent. */
export interface LoggedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Requests in flight when it arrived, including itself. */
	readonly inFlight: number;
	/** ID of the account of the secret, or null if the secret is unknown. */
	readonly account: string | null;
	readonly headerStyle: Credential['headerStyle'];
	/** The parsed body, without defaults. */
	readonly body: unknown;
	/** Requested page and page size, with defaults; null if the path has no pages. */
	readonly page: number | null;
	readonly perPage: number | null;
	/** Null if the connection was closed before the response was sent, by the client or by a fault. */
	status: number | null;
	/** Rows of the normal response, even if a fault has replaced it. */
	rows: number;
	charged: number;
	faults: readonly FaultKind[];
}

type ResponseField = 'inFlight' | 'status' | 'rows' | 'charged' | 'faults';

/** All requests, and functions to wait for them. */
export class RequestLog {
	readonly requests: LoggedRequest[] = [];
	private readonly byAccount = new Map<string | null, LoggedRequest[]>();
	private inFlight = 0;
	private readonly changes = new EventEmitter().setMaxListeners(0);

	/** Adds a request. Call `end` when its response is sent or its connection is closed. */
	add(known: Omit<LoggedRequest, ResponseField>): LoggedRequest {
		const inFlight = ++this.inFlight;
		const request = { ...known, inFlight, status: null, rows: 0, charged: 0, faults: [] };
		this.requests.push(request);
		this.listFor(known.account).push(request);
		return request;
	}

	/** Returns the requests of an account, the oldest first. */
	listFor(account: string | null): LoggedRequest[] {
		const own = this.byAccount.get(account) ?? [];
		this.byAccount.set(account, own);
		return own;
	}

	/** Makes waiting callers check again. */
	notifyWaiters(): void {
		this.changes.emit('change');
	}

	/** Call this when a response is sent or its connection is closed. */
	end(): void {
		this.inFlight--;
		this.notifyWaiters();
	}

	/** Resolves when no request is in flight. */
	async idle(): Promise<void> {
		while (this.inFlight > 0) await once(this.changes, 'change');
	}

	/** Resolves with the first request, past or future, that the predicate accepts. */
	async waitFor(isWanted: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
		for (;;) {
			const found = this.requests.find(isWanted);
			if (found !== undefined) return found;
			await once(this.changes, 'change');
		}
	}
}
