/** One request to the lead service over HTTP, its response read under a deadline and a size limit. */
import type { IHttpRequestOptions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json, type Page } from './contract';
import { asOneLine, redactor } from './errorText';
import {
	failureFromStatus,
	isSuccess,
	looksLikeJson,
	type Failure,
	type Outcome,
} from './failures';
import { parseAnswer } from './json';
import { failureFromNetwork, isUnsent } from './network';
import { readPage } from './response';

/** A page of 1,000 leads has about 1 MB. */
const MAX_RESPONSE_BYTES = 100_000_000;

/** A response whose body is still on its way. */
export interface OpenResponse {
	statusCode: number;
	/** Names in lower case. */
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/** Sends by n8n's HTTP helpers, which know proxies and allowed hosts; rejects with what they throw. */
export type Send = (request: IHttpRequestOptions) => Promise<OpenResponse>;

export interface Connection {
	send: Send;
	cancelSignal?: AbortSignal;
	/** For one request with its whole response, in milliseconds. */
	timeoutMs: number;
	/** What the request carries, and no response may bring back. */
	secrets: readonly string[];
}

/** @param baseUrl the service's address, without trailing slash */
export async function requestPage(
	connection: Connection,
	baseUrl: string,
	endpoint: Endpoint,
	body: Json,
): Promise<Outcome<Page>> {
	const { send, cancelSignal, timeoutMs, secrets } = connection;
	const redact = redactor(secrets);
	const fail = ({ text = '', ...failure }: Failure) => {
		return { failure: { ...failure, text: asOneLine(redact(text)) } };
	};

	if (cancelSignal?.aborted) return fail({ kind: 'cancelled' });
	const deadline = AbortSignal.timeout(timeoutMs);
	let response: OpenResponse | undefined;
	let text: string | undefined = '';
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
		});
		text = await readText(response.body, [deadline, cancelSignal]);
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
	if (!isSuccess(status)) return fail(failureFromStatus(status, headers, text ?? '', Date.now()));
	if (text === undefined) return fail({ kind: 'tooLarge', status });
	if (!looksLikeJson(text)) return fail({ kind: 'notTheService', status });
	let json: Json | unknown[];
	try {
		json = parseAnswer(text, redact);
	} catch {
		return fail({ kind: 'unreadable', status });
	}
	const outcome = readPage(json, endpoint);
	return 'failure' in outcome ? fail(outcome.failure) : outcome;
}

/** @returns undefined for a body that is too large. @throws Error when it ends early, as by one of the signals */
async function readText(
	body: OpenResponse['body'],
	signals: ReadonlyArray<AbortSignal | undefined>,
): Promise<string | undefined> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	const giveUp = () => body.destroy();
	for (const signal of signals) signal?.addEventListener('abort', giveUp);
	try {
		if (signals.some((signal) => signal?.aborted)) giveUp();
		for await (const chunk of body) {
			bytes += chunk.length;
			if (bytes > MAX_RESPONSE_BYTES) return undefined;
			chunks.push(chunk);
		}
		// All at once: a text that is put together from pieces is copied once more before it is parsed.
		return new TextDecoder().decode(Buffer.concat(chunks));
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', giveUp);
	}
}
