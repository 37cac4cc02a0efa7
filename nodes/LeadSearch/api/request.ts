/** One request to the lead service over HTTP, its response read under a deadline and a size limit. */
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

/** What an answer may have at most, counted while it is decompressed: a lead has about 1 kB, without what stands in `raw`. */
const MAX_BYTES_PER_ROW = 50_000;
const [MIN_SIZE_LIMIT, MAX_SIZE_LIMIT] = [5_000_000, 50_000_000];

/** A longer answer is gone through in pieces, so that n8n's other work has its turn between them. */
const LARGE_RESPONSE_BYTES = 2_000_000;

/** The rest of what a service says of an error is cut. */
const MAX_ERROR_BYTES = 100_000;

/** Sends by n8n's HTTP helpers, which know proxies and allowed hosts; rejects with what they throw. */
export type Send = (request: IHttpRequestOptions) => Promise<OpenResponse>;

export interface Connection {
	send: Send;
	cancelSignal?: AbortSignal;
	/** For one request with its whole response, in milliseconds. */
	timeoutMs: number;
	/** Lets others have their turn. */
	yieldToEventLoop?: () => Promise<void>;
	/** What the request carries, and no response may bring back. */
	secrets: readonly string[];
}

/**
 * @param baseUrl the service's address, without trailing slash
 * @param requestedRows how many rows the body asks for, by which the size of the answer is limited
 */
export async function requestPage(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
	requestedRows: number,
): Promise<ValueOrFailure<Page>> {
	const { send, cancelSignal, timeoutMs, secrets, yieldToEventLoop } = connection;
	const redact = createRedactor(secrets);
	const fail = ({ text = '', ...failure }: Failure) => {
		return { failure: { ...failure, text: toSingleLine(redact(text)) } };
	};

	if (cancelSignal?.aborted) return fail({ kind: 'cancelled' });
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
			// A status thrown by the helper would come with n8n's stock message instead of ours.
			ignoreHttpStatusErrors: true,
			// A followed redirect would carry the key to another host.
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: cancelSignal,
		});
		const readLimit = isSuccess(response.statusCode) ? sizeLimit : MAX_ERROR_BYTES;
		received = await readUpTo(readLimit, response.body, [deadline, cancelSignal]);
	} catch (thrown) {
		const isSent = response !== undefined || !isUnsent(thrown);
		if (cancelSignal?.aborted) return fail({ kind: 'cancelled', mayBeCharged: isSent });
		// A status that is no success says enough without its body.
		if (!response || isSuccess(response.statusCode)) {
			if (deadline.aborted && isSent) return fail({ kind: 'lostResponse', code: 'ETIMEDOUT' });
			return fail(failureFromNetwork(thrown, response?.statusCode));
		}
	}
	const { statusCode: status, headers } = response;
	// All at once: a text that is put together from pieces is copied once more before it is parsed.
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
	if (isLarge) await yieldToEventLoop?.();
	let json: Json | unknown[];
	try {
		json = parseResponse(text, redact);
	} catch {
		return fail({ kind: 'unreadable', status });
	}
	const page = readPage(json, endpoint);
	if ('failure' in page) return fail(page.failure);
	if (isLarge) await yieldToEventLoop?.();
	return { value: { ...page.value, bytes: received.length } };
}

/**
 * @param maxBytes bytes, beyond which nothing more is read
 * @returns what came, with more bytes than that where more would have followed
 * @throws Error when the body ends early, as by one of the signals
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
