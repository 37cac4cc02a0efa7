import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './accounts';
import type { FaultKind } from './faults';

/** One request, as the service saw it. The object changes until the answer is out. */
export interface LoggedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** When it arrived, itself included. */
	readonly inFlight: number;
	/** Id of whose secret was shown, null when it is nobody's. */
	readonly account: string | null;
	readonly headerStyle: Credential['headerStyle'];
	/** As parsed, defaults not filled in. */
	readonly body: unknown;
	/** Page and page size asked for, defaults filled in; null when the path has no pages. */
	readonly page: number | null;
	readonly perPage: number | null;
	/** Null when the connection went before the answer was out, whoever cut it. */
	status: number | null;
	/** Rows of the normal answer, even when a fault kept it from the client. */
	rows: number;
	charged: number;
	faults: readonly FaultKind[];
}

type ResponseField = 'inFlight' | 'status' | 'rows' | 'charged' | 'faults';

export class RequestLog {
	readonly requests: LoggedRequest[] = [];
	private readonly byAccount = new Map<string | null, LoggedRequest[]>();
	private inFlight = 0;
	private readonly changes = new EventEmitter().setMaxListeners(0);

	/** Notes that a request arrived. Call `ended` when its connection or its answer is done. */
	add(known: Omit<LoggedRequest, ResponseField>): LoggedRequest {
		const inFlight = ++this.inFlight;
		const request = { ...known, inFlight, status: null, rows: 0, charged: 0, faults: [] };
		this.requests.push(request);
		this.listFor(known.account).push(request);
		return request;
	}

	/** The requests of an account, oldest first. */
	listFor(account: string | null): LoggedRequest[] {
		const own = this.byAccount.get(account) ?? [];
		this.byAccount.set(account, own);
		return own;
	}

	/** Notes that it is known what will come of a request. */
	notifyWaiters(): void {
		this.changes.emit('change');
	}

	/** Notes that the answer is out, or that the connection is gone. */
	end(): void {
		this.inFlight--;
		this.notifyWaiters();
	}

	/** Resolves when no answer is outstanding and every cut connection is noted. */
	async idle(): Promise<void> {
		while (this.inFlight > 0) await once(this.changes, 'change');
	}

	/** The first request, logged already or still to come, that the predicate wants. */
	async waitFor(isWanted: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
		for (;;) {
			const found = this.requests.find(isWanted);
			if (found !== undefined) return found;
			await once(this.changes, 'change');
		}
	}
}
