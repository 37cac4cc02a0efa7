import { request } from 'undici';
import {
	LOOKUP_PATH,
	PREVIEW_PATH,
	SEARCH_PATH,
	startService,
	type LeadService,
	type LookupRequest,
	type SearchRequest,
	type ServiceOptions,
} from '../../sandbox/service';
import type { LookupAnswer, SearchAnswer } from './answers';

/** Starts a service before the tests of a file and stops it after them. */
export function useService(options?: ServiceOptions): Pick<LeadService, 'baseUrl' | 'admin'> {
	let running: LeadService | undefined;
	const service = () => {
		if (running === undefined) throw new Error('The service runs during tests only');
		return running;
	};
	beforeAll(async () => {
		running = await startService(options);
	});
	afterAll(async () => {
		await service().close();
	});
	return {
		get baseUrl() {
			return service().baseUrl;
		},
		get admin() {
			return service().admin;
		},
	};
}

/** An answer as it came. */
export interface Answer<Body> {
	status: number;
	body: Body;
}

/** Any text, in an expectation. */
export const someText: unknown = expect.any(String);

/** POSTs a body as JSON; a string goes out as it is. */
export async function post<Body = Record<string, unknown>>(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
	signal?: AbortSignal,
): Promise<Answer<Body>> {
	const { statusCode, body: answer } = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		signal,
	});
	return { status: statusCode, body: (await answer.json()) as Body };
}

/** POSTs a body as JSON, for an answer that may be none. */
export async function postForText(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Answer<string> & { type: unknown }> {
	const answer = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	const type = answer.headers['content-type'];
	return { status: answer.statusCode, body: await answer.body.text(), type };
}

/** The header of an API key or session token. */
export function bearer(secret: string): Record<string, string> {
	return { authorization: `Bearer ${secret}` };
}

/** A paid search. */
export function search(
	baseUrl: string,
	apiKey: string,
	body: SearchRequest = {},
): Promise<Answer<SearchAnswer>> {
	return post(baseUrl + SEARCH_PATH, body, bearer(apiKey));
}

/** A lookup; the secret goes as Bearer. */
export function lookup(
	baseUrl: string,
	secret: string,
	body: LookupRequest,
): Promise<Answer<LookupAnswer>> {
	return post(baseUrl + LOOKUP_PATH, body, bearer(secret));
}

/** A preview, in whatever shape. */
export function preview<Body = Record<string, unknown>>(
	baseUrl: string,
	body: object = {},
): Promise<Answer<Body>> {
	return post(baseUrl + PREVIEW_PATH, body);
}
