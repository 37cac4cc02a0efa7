import { request } from 'undici';
import {
	LOOKUP_PATH,
	PREVIEW_PATH,
	SEARCH_PATH,
	startService,
	type LeadRecord,
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

/** Any text, in an expectation. */
export const someText: unknown = expect.any(String);

/** The header of an API key or session token. */
export function bearer(secret: string): Record<string, string> {
	return { authorization: `Bearer ${secret}` };
}

/** POSTs a body as JSON, a string as it is; the answer's body is still to be read. */
export async function send(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
	signal?: AbortSignal,
) {
	const { statusCode, ...answer } = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		signal,
	});
	return { ...answer, status: statusCode };
}

/** An answer as it came. */
export interface Answer<Body> {
	status: number;
	body: Body;
}

/** POSTs a body, for an answer in JSON. */
export async function post<Body = Record<string, unknown>>(
	...what: Parameters<typeof send>
): Promise<Answer<Body>> {
	const { status, body } = await send(...what);
	return { status, body: (await body.json()) as Body };
}

/** A paid search. */
export function search(baseUrl: string, apiKey: string, body: SearchRequest = {}) {
	return post<SearchAnswer>(baseUrl + SEARCH_PATH, body, bearer(apiKey));
}

/** A lookup; the secret goes as Bearer. */
export function lookup(baseUrl: string, secret: string, body: LookupRequest) {
	return post<LookupAnswer>(baseUrl + LOOKUP_PATH, body, bearer(secret));
}

/** A preview, in whatever shape. */
export function preview(baseUrl: string, body: object = {}) {
	return post<{ preview_data: LeadRecord[] }>(baseUrl + PREVIEW_PATH, body);
}
