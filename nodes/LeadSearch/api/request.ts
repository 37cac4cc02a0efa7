/**
 * One request to the lead service over HTTP, with nothing decided: it sends, reads the response under
 * a deadline and a size limit, takes secrets out of it, and maps what went wrong to a {@link Failure}.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json, type Page } from './contract';
import { asOneLine } from './errorText';
import {
	failureFromNetwork,
	failureFromStatus,
	isSuccess,
	looksLikeJson,
	type Outcome,
} from './failures';
import { redactor } from './redact';
import { readPage } from './response';

/** The largest response that is read, in bytes. A page of 1,000 leads has about 1 MB. */
const MAX_RESPONSE_BYTES = 100_000_000;

/** A response whose body is still on its way. */
export interface OpenResponse {
	statusCode: number;
	/** Names in lower case, as Node gives them. */
	headers: Record<string, unknown>;
	body: ByteStream;
}

/** The part of Node's readable stream that is used. */
export interface ByteStream {
	on(event: 'data', take: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'close', happened: () => void): unknown;
	on(event: 'error', happened: (error: unknown) => void): unknown;
	/** Whether nothing more will come. */
	destroyed: boolean;
	destroy(): unknown;
}

/**
 * Hands a request to n8n's HTTP helpers, which know proxies, allowed hosts and credentials.
 * Rejects with whatever the helper throws when no response comes.
 */
export type Send = (request: IHttpRequestOptions) => Promise<OpenResponse>;

export interface Connection {
	send: Send;
	/** The execution's cancel signal; older versions of n8n have none. */
	cancelSignal?: AbortSignal;
	/** For one request with its whole response, in milliseconds. */
	timeoutMs: number;
	/** Secrets that the request carries; none of them comes back in any response. */
	secrets: readonly string[];
	/** The present, in milliseconds since 1970. */
	now: () => number;
}

/**
 * Requests a page from an endpoint.
 *
 * @param baseUrl the service's address, without trailing slash
 */
export async function requestPage(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
): Promise<Outcome<Page>> {
	const outcome = await exchange(connection, baseUrl, endpoint, body);
	if ('value' in outcome) return outcome;
	const { text = '', ...failure } = outcome.failure;
	return { failure: { ...failure, text: asOneLine(redactor(connection.secrets)(text)) } };
}

/** The same; what the text of a failure says is as it came. */
async function exchange(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
): Promise<Outcome<Page>> {
	const { cancelSignal, timeoutMs } = connection;
	if (cancelSignal?.aborted) return { failure: { kind: 'cancelled' } };
	const deadline = AbortSignal.timeout(timeoutMs);
	let response: OpenResponse | undefined;
	let text: string | undefined = '';
	try {
		response = await connection.send({
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
		});
		text = await readText(response.body, [deadline, cancelSignal]);
	} catch (thrown) {
		if (cancelSignal?.aborted) return { failure: { kind: 'cancelled', mayBeCharged: true } };
		// A status that is no success says enough without its body.
		if (!response || isSuccess(response.statusCode)) {
			return {
				failure: deadline.aborted
					? { kind: 'lostResponse', code: 'ETIMEDOUT' }
					: failureFromNetwork(thrown, response?.statusCode),
			};
		}
	}
	const { statusCode: status, headers } = response;
	if (!isSuccess(status))
		return { failure: failureFromStatus(status, headers, text ?? '', connection.now()) };
	if (text === undefined) return { failure: { kind: 'tooLarge', status } };
	if (!looksLikeJson(text)) return { failure: { kind: 'notTheService', status } };
	let json: Json | unknown[];
	try {
		json = parse(text, redactor(connection.secrets));
	} catch {
		return { failure: { kind: 'unreadable', status } };
	}
	return readPage(json, endpoint);
}

/** Parses JSON without secrets and prototypes; looking at each value takes several times as long. */
function parse(text: string, redact: (text: string) => string): Json | unknown[] {
	const isClean = redact(text) === text && !text.includes('__proto__');
	const clean = (key: string, value: unknown) => {
		if (key === '__proto__') return undefined;
		return typeof value === 'string' ? redact(value) : value;
	};
	return JSON.parse(text, isClean ? undefined : clean) as Json | unknown[];
}

/**
 * Reads a body to its end.
 *
 * Listens instead of iterating, which costs several promises for each piece. Makes text of each piece
 * as it comes, so that no buffers pile up that make Node collect garbage.
 *
 * @param signals that end it early
 * @returns undefined for a body that is too large
 * @throws Error when the body ends early
 */
async function readText(
	body: ByteStream,
	signals: ReadonlyArray<AbortSignal | undefined>,
): Promise<string | undefined> {
	const decoder = new TextDecoder();
	const isOver = new AbortController();
	let text = '';
	let bytes = 0;
	return await new Promise<string | undefined>((resolve, reject) => {
		const giveUp = () => {
			isOver.abort();
			body.destroy();
			reject(new Error('The body ended early'));
		};
		body.on('data', (chunk) => {
			bytes += chunk.length;
			if (bytes <= MAX_RESPONSE_BYTES) {
				text += decoder.decode(chunk, { stream: true });
				return;
			}
			resolve(undefined);
			giveUp();
		});
		body.on('end', () => {
			resolve(text + decoder.decode());
		});
		body.on('error', reject);
		body.on('close', giveUp);
		if (body.destroyed || signals.some((signal) => signal?.aborted)) giveUp();
		for (const signal of signals)
			signal?.addEventListener('abort', giveUp, { signal: isOver.signal });
	});
}
