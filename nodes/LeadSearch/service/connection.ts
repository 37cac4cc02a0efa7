/**
 * One request to the lead service over HTTP, with nothing decided: it sends, reads the answer under
 * a deadline and a size limit, and maps what went wrong to a {@link Failure}.
 */
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Json } from './contract';
import { failureFromNetwork, failureFromStatus, type Failure, type Outcome } from './failures';
import { readWords, tidy } from './words';

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
export interface ByteStream {
	on(event: 'data', take: (chunk: Uint8Array) => void): unknown;
	on(event: 'end' | 'close' | 'error', happened: () => void): unknown;
	/** Whether nothing will come any more. */
	destroyed: boolean;
	destroy(): unknown;
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
		const failure = failureFromStatus(statusCode, headers, words, connection.now());
		return {
			failure: {
				...failure,
				location: failure.location && tidy(failure.location, connection.secrets),
			},
		};
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
	let answer: OpenAnswer;
	try {
		answer = await connection.send({
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
	} catch (thrown) {
		const failure = interruption(cancelSignal, deadline) ?? failureFromNetwork(thrown);
		return {
			failure: {
				...failure,
				words: failure.words && tidy(failure.words, connection.secrets),
			},
		};
	}
	try {
		const text = await readText(answer.body, [deadline, cancelSignal]);
		if (text === undefined) return { failure: { kind: 'unreadable', tooLarge: true } };
		return { value: { statusCode: answer.statusCode, headers: answer.headers, text } };
	} catch {
		// The answer had begun, so whatever cut it, the request was handled.
		return { failure: interruption(cancelSignal, deadline) ?? { kind: 'lostAnswer' } };
	}
}

/** What ended a request from our side, if anything did. */
function interruption(
	cancelSignal: AbortSignal | undefined,
	deadline: AbortSignal,
): Failure | undefined {
	if (cancelSignal?.aborted) return { kind: 'cancelled', inFlight: true };
	return deadline.aborted ? { kind: 'lostAnswer', timedOut: true } : undefined;
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
				if (bytes <= LARGEST_ANSWER_BYTES) {
					text += decoder.decode(chunk, { stream: true });
					return;
				}
				body.destroy();
				resolve(undefined);
			});
			body.on('end', () => {
				resolve(text + decoder.decode());
			});
			body.on('error', giveUp);
			body.on('close', giveUp);
		});
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', giveUp);
	}
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
