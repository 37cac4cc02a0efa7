/**
 * One request to the lead service over HTTP, with nothing decided: it sends, reads the answer under
 * a deadline and a size limit, and maps what went wrong to a {@link Failure}.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Json } from './contract';
import { failureFromNetwork, failureFromStatus, type Failure, type Outcome } from './failures';
import { readWords } from './words';

/** The largest answer that is read, in bytes. A page of 1,000 leads has about 1 MB. */
export const LARGEST_ANSWER_BYTES = 100_000_000;

/** An answer whose body is still on its way. */
export interface OpenAnswer {
	statusCode: number;
	/** Names in lower case, as Node gives them. */
	headers: Record<string, unknown>;
	body: ByteStream;
}

/** The part of Node's readable stream that is used. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
	destroy(reason?: Error): unknown;
}

/**
 * Hands a request to n8n's HTTP helpers, which know proxies, allowed hosts and credentials.
 * Rejects with whatever the helper throws when no answer comes.
 */
export type Send = (request: IHttpRequestOptions) => Promise<OpenAnswer>;

export interface Connection {
	send: Send;
	/** The execution's cancel signal; older versions of n8n have none. */
	cancelSignal?: AbortSignal;
	/** For one request with its whole answer, in milliseconds. */
	timeoutMs: number;
	/** Secrets that must not come back in what the service says. */
	secrets: readonly string[];
	/** The present, in milliseconds since 1970. */
	now: () => number;
}

/**
 * Posts a JSON body and reads the JSON answer.
 *
 * @param url address of the endpoint
 * @returns the parsed answer, an object or an array, of a 2xx response; a failure for everything else
 */
export async function postJson(
	connection: Connection,
	url: string,
	body: Json,
): Promise<Outcome<Json | unknown[]>> {
	const exchanged = await exchange(connection, url, body);
	if ('failure' in exchanged) return exchanged;
	const { statusCode, headers, text } = exchanged.value;
	if (statusCode < 200 || statusCode > 299) {
		const words = readWords(text, connection.secrets);
		return { failure: failureFromStatus(statusCode, headers, words, connection.now()) };
	}
	return parseAnswer(text, statusCode);
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
	try {
		const answer = await connection.send({
			method: 'POST',
			url,
			body,
			headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
			encoding: 'stream',
			returnFullResponse: true,
			// A status thrown by the helper would come with n8n's stock words instead of ours.
			ignoreHttpStatusErrors: true,
			// A followed redirect would carry the key to another host.
			disableFollowRedirect: true,
			timeout: timeoutMs,
		});
		const text = await readText(answer.body, [deadline, cancelSignal]);
		if (text === undefined) return { failure: { kind: 'unreadable', words: 'tooLarge' } };
		return { value: { statusCode: answer.statusCode, headers: answer.headers, text } };
	} catch (thrown) {
		return { failure: whatHappened(thrown, connection, deadline) };
	}
}

function whatHappened(thrown: unknown, connection: Connection, deadline: AbortSignal): Failure {
	if (connection.cancelSignal?.aborted) return { kind: 'cancelled', inFlight: true };
	if (deadline.aborted) return { kind: 'lostAnswer', timedOut: true };
	const failure = failureFromNetwork(thrown);
	return { ...failure, words: failure.words && readWords(failure.words, connection.secrets) };
}

/**
 * Reads a body to its end, or until one of the signals; then the stream throws.
 *
 * @returns undefined for a body that is too large
 */
async function readText(
	body: ByteStream,
	signals: ReadonlyArray<AbortSignal | undefined>,
): Promise<string | undefined> {
	const giveUp = () => body.destroy(new Error('stopped reading'));
	for (const signal of signals) {
		if (signal?.aborted) giveUp();
		signal?.addEventListener('abort', giveUp, { once: true });
	}
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body) {
			bytes += chunk.length;
			// Leaving the loop closes the stream.
			if (bytes > LARGEST_ANSWER_BYTES) return undefined;
			chunks.push(chunk);
		}
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', giveUp);
	}
	return Buffer.concat(chunks, bytes).toString('utf8');
}

function parseAnswer(text: string, status: number): Outcome<Json | unknown[]> {
	const looksLikeJson = /^\s*[{[]/.test(text);
	if (!looksLikeJson) return { failure: { kind: 'notTheService', status } };
	try {
		return { value: JSON.parse(text) as Json | unknown[] };
	} catch {
		return { failure: { kind: 'unreadable', status } };
	}
}
