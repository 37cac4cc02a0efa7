/** Sends one HTTP request to the lead service, and reads its response with a timeout and a size limit. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json, type Page } from './contract';
import { toSingleLine, createRedactor } from './errorText';
import {
	failureFromStatus,
	isSuccess,
	looksLikeJson,
	type Failure,
	type ValueOrFailure,
} from './failures';
import { parseResponse } from './json';
import {
	failureFromNetwork,
	isUnsent,
	responseIn,
	THROWN_STATUSES,
	type OpenResponse,
} from './network';
import { readPage } from './response';

/**
 * The size limit of a decompressed response in bytes: 50 kB for each requested row, but at least 5 MB and at most 50
 * MB. A lead takes about 1 kB, plus the `raw` object if it is requested.
 */
const MAX_BYTES_PER_ROW = 50_000;
const MIN_SIZE_LIMIT = 5_000_000;
const MAX_SIZE_LIMIT = 50_000_000;

const MAX_ERROR_BYTES = 100_000;

/** Sends a request with n8n's HTTP helpers, which apply n8n's proxy and its list of allowed hosts. */
export type Send = (request: IHttpRequestOptions) => Promise<OpenResponse>;

/** How requests are sent. It isn't an open network connection: n8n's HTTP helper opens one if it is needed. */
export interface Connection {
	send: Send;
	/**
	 * Ends the request when it aborts. A run of the node aborts it a few seconds after a cancel: responses that arrive
	 * meanwhile are charged anyway, so their rows are saved. A poll aborts it immediately.
	 */
	abandonSignal?: AbortSignal;
	/** The time limit from the start of a request until its whole response is read. */
	timeoutMs: number;
	/**
	 * The API key or session token. If a response repeats it, it is replaced with `***`, so that it reaches neither
	 * messages nor output items.
	 */
	secrets: readonly string[];
}

/**
 * Requests one page of rows. It never throws.
 *
 * @param baseUrl URL of the service without a trailing slash
 * @param requestedRows decides the size limit of the response
 */
export async function requestPage(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
	requestedRows: number,
): Promise<ValueOrFailure<Page>> {
	const { send, abandonSignal, timeoutMs, secrets } = connection;
	const redact = createRedactor(secrets);
	const fail = ({ text = '', ...failure }: Failure) => {
		return { failure: { ...failure, text: toSingleLine(redact(text)) } };
	};

	if (abandonSignal?.aborted) return fail({ kind: 'cancelled' });
	const deadline = AbortSignal.timeout(timeoutMs);
	let response: OpenResponse | undefined;
	let received: Buffer = Buffer.alloc(0);
	const sizeLimit = Math.min(
		MAX_SIZE_LIMIT,
		Math.max(MIN_SIZE_LIMIT, requestedRows * MAX_BYTES_PER_ROW),
	);
	try {
		response = await send({
			method: 'POST',
			url: baseUrl + ENDPOINTS[endpoint].path,
			body,
			headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: { ignore: true, except: [...THROWN_STATUSES] },
			// A redirect would send the key to another host.
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: abandonSignal,
		}).catch(responseIn);
		const readLimit = isSuccess(response.statusCode) ? sizeLimit : MAX_ERROR_BYTES;
		received = await readUpTo(readLimit, response.body, [deadline, abandonSignal]);
	} catch (thrown) {
		const isSent = response !== undefined || !isUnsent(thrown);
		if (abandonSignal?.aborted) return fail({ kind: 'cancelled', mayBeCharged: isSent });
		// The status is enough without the body.
		if (!response || isSuccess(response.statusCode)) {
			if (deadline.aborted && isSent) return fail({ kind: 'lostResponse', code: 'ETIMEDOUT' });
			return fail(failureFromNetwork(thrown, response?.statusCode));
		}
	}
	const { statusCode: status, headers } = response;
	// Decode all bytes at once: a string that is concatenated from pieces is copied again before it is parsed.
	const decode = () => new TextDecoder().decode(received);
	if (!isSuccess(status)) {
		received = received.subarray(0, MAX_ERROR_BYTES);
		return fail(failureFromStatus(status, headers, decode(), Date.now()));
	}
	if (received.length > sizeLimit)
		return fail({ kind: 'tooLarge', status, text: `${sizeLimit / 1_000_000} MB` });
	const text = decode();
	if (!looksLikeJson(text)) return fail({ kind: 'notTheService', status });
	let json: Json | unknown[];
	try {
		json = parseResponse(text, redact);
	} catch {
		return fail({ kind: 'unreadable', status });
	}
	const page = readPage(json, endpoint);
	if ('failure' in page) return fail(page.failure);
	return { value: { ...page.value, bytes: received.length } };
}

/**
 * Reads the chunks of a body, and stops after the chunk that exceeds a limit.
 *
 * @throws Error if the body ends early, for example because a signal aborts
 */
async function readUpTo(
	maxBytes: number,
	body: OpenResponse['body'],
	signals: ReadonlyArray<AbortSignal | undefined>,
): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let receivedBytes = 0;
	const stopReading = () => body.destroy();
	for (const signal of signals) signal?.addEventListener('abort', stopReading);
	try {
		if (signals.some((signal) => signal?.aborted)) stopReading();
		for await (const chunk of body) {
			receivedBytes += chunk.length;
			chunks.push(chunk);
			if (receivedBytes > maxBytes) break;
		}
		return Buffer.concat(chunks);
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', stopReading);
	}
}
