/**
 * One request to the lead service over HTTP, with nothing decided: it sends, reads the response under
 * a deadline and a size limit, takes secrets out of it, and maps what went wrong to a {@link Failure}.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json, type Page } from './contract';
import { asOneLine, readErrorText } from './errorText';
import {
	failureFromNetwork,
	failureFromStatus,
	isUndecodable,
	type Failure,
	type Outcome,
} from './failures';
import { redactor, type Redact } from './redact';
import { readPage } from './response';

/** The largest response that is read, in bytes. A page of 1,000 leads has about 1 MB. */
const MAX_RESPONSE_BYTES = 100_000_000;

/** How long the body of a response is waited for whose status says enough, in milliseconds. */
const MAX_ERROR_BODY_MS = 5_000;

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
	const response = await postJson(connection, baseUrl + ENDPOINTS[endpoint].path, body);
	return 'failure' in response ? response : readPage(response.value, endpoint);
}

/**
 * Posts a JSON body and reads the JSON response.
 *
 * @param url address of the endpoint
 * @returns the parsed response, an object or an array, of a 2xx; a failure for everything else
 */
export async function postJson(
	connection: Connection,
	url: string,
	body: Json,
): Promise<Outcome<Json | unknown[]>> {
	const redact = redactor(connection.secrets);
	const exchanged = await exchange(connection, url, body);
	if ('failure' in exchanged) {
		const { failure } = exchanged;
		const text = redact(failure.text);
		return { failure: { ...failure, text: text && asOneLine(text) } };
	}
	const { statusCode, headers, text } = exchanged.value;
	if (isSuccess(statusCode)) return parseBody(text, statusCode, redact);
	const failure = failureFromStatus(
		statusCode,
		headers,
		readErrorText(redact(text)),
		connection.now(),
	);
	const location = redact(failure.location);
	const isForeign = statusCode >= 500 && !looksLikeJson(text);
	return {
		failure: {
			...failure,
			location: location && asOneLine(location),
			...(isForeign && { isForeign }),
		},
	};
}

function looksLikeJson(text: string): boolean {
	return /^\s*[{[]/.test(text);
}

function isSuccess(status: number): boolean {
	return status >= 200 && status <= 299;
}

interface Exchanged {
	statusCode: number;
	headers: Record<string, unknown>;
	text: string;
}

async function exchange(
	connection: Connection,
	url: string,
	body: Json,
): Promise<Outcome<Exchanged>> {
	const { cancelSignal, timeoutMs } = connection;
	if (cancelSignal?.aborted) return { failure: { kind: 'cancelled' } };
	const deadline = AbortSignal.timeout(timeoutMs);
	let response: OpenResponse;
	try {
		response = await connection.send({
			method: 'POST',
			url,
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
	} catch (thrown) {
		return { failure: interruption(cancelSignal, deadline) ?? failureFromNetwork(thrown) };
	}
	const { statusCode, headers } = response;
	let failure: Failure;
	try {
		const signals = [deadline, cancelSignal];
		if (!isSuccess(statusCode)) signals.push(AbortSignal.timeout(MAX_ERROR_BODY_MS));
		const text = await readText(response.body, signals);
		if (text !== undefined) return { value: { statusCode, headers, text } };
		failure = { kind: 'unreadable', status: statusCode, tooLarge: true };
	} catch (thrown) {
		// The response had begun, so whatever cut it, the request was handled.
		failure =
			interruption(cancelSignal, deadline) ??
			(isUndecodable(thrown)
				? { kind: 'unreadable', status: statusCode }
				: { kind: 'lostResponse' });
	}
	// A status that is no success says enough without its body.
	const saysEnough = failure.kind !== 'cancelled' && !isSuccess(statusCode);
	return saysEnough ? { value: { statusCode, headers, text: '' } } : { failure };
}

/** What ended a request from our side, if anything did. */
function interruption(
	cancelSignal: AbortSignal | undefined,
	deadline: AbortSignal,
): Failure | undefined {
	if (cancelSignal?.aborted) return { kind: 'cancelled', inFlight: true };
	return deadline.aborted ? { kind: 'lostResponse', timedOut: true } : undefined;
}

/**
 * Reads a body to its end, or until one of the signals.
 *
 * Listens instead of iterating, which costs several promises for each piece. Makes text of each piece
 * as it comes, so that no buffers pile up that make Node collect garbage.
 *
 * @returns undefined for a body that is too large
 * @throws Error when the body ends early
 */
async function readText(
	body: ByteStream,
	signals: ReadonlyArray<AbortSignal | undefined>,
): Promise<string | undefined> {
	const decoder = new TextDecoder();
	let text = '';
	let bytes = 0;
	let giveUp: () => void = () => undefined;
	try {
		return await new Promise<string | undefined>((resolve, reject) => {
			giveUp = () => {
				body.destroy();
				reject(new Error('The body ended early'));
			};
			if (body.destroyed || signals.some((signal) => signal?.aborted)) giveUp();
			for (const signal of signals) signal?.addEventListener('abort', giveUp);
			body.on('data', (chunk) => {
				bytes += chunk.length;
				if (bytes <= MAX_RESPONSE_BYTES) {
					text += decoder.decode(chunk, { stream: true });
					return;
				}
				body.destroy();
				resolve(undefined);
			});
			body.on('end', () => {
				resolve(text + decoder.decode());
			});
			body.on('error', (error) => {
				reject(new Error('The body cannot be read', { cause: error }));
			});
			body.on('close', giveUp);
		});
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', giveUp);
	}
}

function parseBody(text: string, status: number, redact: Redact): Outcome<Json | unknown[]> {
	if (!looksLikeJson(text)) return { failure: { kind: 'notTheService', status } };
	try {
		return { value: redact.json(text) as Json | unknown[] };
	} catch {
		return { failure: { kind: 'unreadable', status } };
	}
}
