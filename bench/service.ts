import { request } from 'undici';

import { leadAt, type LoggedRequest } from '../sandbox/service';
import { startLeadService, type RunningService } from '../sandbox/start/lead-service';

/** Bytes of answers that the service keeps ready: every page of the bench fits in. */
const keptBytes = 600_000_000;
/** More than a whole bench spends. */
const credits = 1_000_000_000;

/** What the service has seen of a run. */
export interface Seen {
	readonly requests: number;
	/** Credits. */
	readonly charged: number;
	/** Requests that were under way at the same time. */
	readonly atOnce: number;
	/** Answers other than 200. */
	readonly refused: number;
}

/** The stand-in lead service in a process of its own, with its answers kept ready. */
export class BenchService {
	private constructor(
		private readonly service: RunningService,
		readonly apiKey: string,
	) {}

	static async start(): Promise<BenchService> {
		const service = await startLeadService(['--keep', String(keptBytes)]);
		const account = { id: 'bench', apiCredits: credits };
		const { apiKey } = (await post(service, '/accounts', account)) as { apiKey: string };
		return new BenchService(service, apiKey);
	}

	get baseUrl(): string {
		return this.service.baseUrl;
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}

	/** Lets every request wait from now on. */
	async setLatency(ms: number): Promise<void> {
		await call(this.service, 'DELETE', '/faults');
		if (ms > 0) await post(this.service, '/faults', { kind: 'latency', ms, times: 'always' });
	}

	/** Forgets what it has seen. */
	async forget(): Promise<void> {
		await call(this.service, 'DELETE', '/requests');
	}

	/** What it has seen since `forget`. */
	async seen(): Promise<Seen> {
		const log = (await call(this.service, 'GET', '/requests')) as LoggedRequest[];
		return {
			requests: log.length,
			charged: log.reduce((sum, { charged }) => sum + charged, 0),
			atOnce: Math.max(0, ...log.map(({ inFlight }) => inFlight)),
			refused: log.filter(({ status }) => status !== 200).length,
		};
	}
}

/** LinkedIn URLs of so many leads. */
export function profileUrls(count: number): string[] {
	return Array.from({ length: count }, (_, lead) => leadAt(lead).linkedin_url);
}

function post(service: RunningService, path: string, body: object): Promise<unknown> {
	return call(service, 'POST', path, body);
}

async function call(
	{ baseUrl }: RunningService,
	method: 'GET' | 'POST' | 'DELETE',
	path: string,
	body?: object,
): Promise<unknown> {
	const answer = await request(`${baseUrl}/_admin${path}`, {
		method,
		reset: true,
		...(body && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	const text = await answer.body.text();
	if (answer.statusCode >= 300)
		throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
	return text === '' ? undefined : JSON.parse(text);
}
