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
import { failureFromNetwork, isUnsent, type OpenResponse } from './network';
import { readPage } from './response';

/**
 * The size limit of a decompressed response grows by this many bytes for each requested row, within the two limits
 * below. A lead has about 1 kB without `raw`.
 */
const MAX_BYTES_PER_ROW = 50_000;
const MIN_SIZE_LIMIT = 5_000_000;
const MAX_SIZE_LIMIT = 50_000_000;

/** If a response is larger, the event loop runs n8n's other work before and after it is parsed. */
const LARGE_RESPONSE_BYTES = 2_000_000;

/** The most bytes of an error body that are read. */
const MAX_ERROR_BYTES = 100_000;

/**
 * Sends a request with n8n's HTTP helpers, which apply n8n's proxy and its list of allowed hosts. If the helper
 * throws an error, the promise is rejected with that error.
 */
export type Send = (request: IHttpRequestOptions) => Promise<OpenResponse>;

/** Everything that all requests of a run have in common. */
export interface Connection {
	send: Send;
	/** If it aborts, requests in flight are ended. */
	abandonSignal?: AbortSignal;
	/** Timeout of one request and its whole response, in milliseconds. */
	timeoutMs: number;
	/** Lets the event loop run n8n's other work. */
	yieldToEventLoop: () => Promise<void>;
	/** Secrets of the request. They are removed from responses. */
	secrets: readonly string[];
}

/**
 * Requests one page. Never throws: failures are values.
 *
 * @param baseUrl URL of the service without a trailing slash
 * @param body fields by the contract's names
 * @param requestedRows rows that the body requests; they determine the size limit of the response
 */
export async function requestPage(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
	requestedRows: number,
): Promise<ValueOrFailure<Page>> {
	const { send, abandonSignal, timeoutMs, secrets, yieldToEventLoop } = connection;
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
			// The helper would throw n8n's general message for the status, instead of our own.
			ignoreHttpStatusErrors: true,
			// A redirect would send the key to another host.
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: abandonSignal,
		});
		const readLimit = isSuccess(response.statusCode) ? sizeLimit : MAX_ERROR_BYTES;
		received = await readUpTo(readLimit, response.body, [deadline, abandonSignal]);
	} catch (thrown) {
		const isSent = response !== undefined || !isUnsent(thrown);
		if (abandonSignal?.aborted) return fail({ kind: 'cancelled', mayBeCharged: isSent });
		// A status that isn't a success is enough without its body.
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
	const isLarge = received.length > LARGE_RESPONSE_BYTES;
	if (isLarge) await yieldToEventLoop();
	let json: Json | unknown[];
	try {
		json = parseResponse(text, redact);
	} catch {
		return fail({ kind: 'unreadable', status });
	}
	const page = readPage(json, endpoint);
	if ('failure' in page) return fail(page.failure);
	if (isLarge) await yieldToEventLoop();
	return { value: { ...page.value, bytes: received.length } };
}

/**
 * Reads a body up to a limit.
 *
 * @returns the bytes that were read; more than `maxBytes` if the body is larger than that
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
