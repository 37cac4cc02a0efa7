/** Starts the mock service and sends requests to it. */
import { request } from 'undici';
import { LOOKUP_PATH, SEARCH_PATH, startService } from '../../sandbox/service';
import type { LeadRecord, LookupRequest, LookupRow, SearchRequest } from '../../sandbox/service';
import type { LeadService, ServiceOptions } from '../../sandbox/service';

/** Starts a mock service for the tests of a file. */
export function useService(options?: ServiceOptions): LeadService {
	const service = {} as LeadService;
	beforeAll(async () => Object.assign(service, await startService(options)));
	afterAll(() => service.close());
	return service;
}

export function bearer(secret: string): Record<string, string> {
	return { authorization: `Bearer ${secret}` };
}

/** POSTs a body as JSON, or a string as it is. The response's body isn't read yet. */
export async function send(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
	signal?: AbortSignal,
) {
	const { statusCode, ...response } = await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		signal,
	});
	return { ...response, status: statusCode };
}

/** Fields that tests read in a response with rows. */
interface Body extends Record<string, unknown> {
	count: number;
	next_page: number | null;
	preview_data: LeadRecord[];
	data: LookupRow[];
}

export async function post(...args: Parameters<typeof send>) {
	const { status, body } = await send(...args);
	return { status, body: (await body.json()) as Body };
}

export function search(baseUrl: string, apiKey: string, body: SearchRequest = {}) {
	return post(baseUrl + SEARCH_PATH, body, bearer(apiKey));
}

export function lookup(baseUrl: string, secret: string, body: LookupRequest) {
	return post(baseUrl + LOOKUP_PATH, body, bearer(secret));
}
