/** The service, n8n and undici, each in a process of its own, ready to be set to work. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { request } from 'undici';

import { findInstallation } from '../sandbox/n8n';
import { leadAt, LOOKUP_PATH, SEARCH_PATH, type LoggedRequest } from '../sandbox/service';
import { startLeadService, type RunningService } from '../sandbox/start/lead-service';
import { pageSize, subjects, type Case, type Subject } from './cases';
import { BenchN8n, type N8nOptions, type Work } from './n8n/n8n';

/** Bytes of answers that the service keeps ready: every page of the bench fits in. */
const keptBytes = 600_000_000;
/** More than a whole bench spends. */
const apiCredits = 1_000_000_000;

/** One run that did its work. */
export interface Run extends Work {
	readonly requests: number;
	/** Requests answered with 429. */
	readonly refused: number;
}

export class Environment {
	private readonly undici: ChildProcess;
	/** The last request that has been looked at. */
	private lastSeq = 0;

	private constructor(
		private readonly service: RunningService,
		private readonly apiKey: string,
		private readonly n8n: BenchN8n,
	) {
		this.undici = fork(join(__dirname, 'undici.mjs'), {
			execPath: findInstallation().node,
			execArgv: ['--expose-gc'],
		});
	}

	static async start(options: Omit<N8nOptions, 'baseUrl' | 'apiKey'>): Promise<Environment> {
		const service = await startLeadService(['--keep', String(keptBytes)]);
		const { baseUrl } = service;
		const account = await admin(baseUrl, 'POST', '/accounts', { id: 'bench', apiCredits });
		const { apiKey } = account as { apiKey: string };
		return new Environment(
			service,
			apiKey,
			await BenchN8n.start({ ...options, baseUrl, apiKey }),
		);
	}

	async stop(): Promise<void> {
		if (this.undici.connected) this.undici.disconnect();
		await this.n8n.stop();
		await this.service.stop();
	}

	/**
	 * Sets a subject to work, once.
	 * @throws Error when it did not do all of the work, or other work: whoever drops leads is fast
	 */
	async run(subject: Subject, work: Case): Promise<Run> {
		const { baseUrl } = this.service;
		const { latencyMs, limits = {} } = work;
		await admin(baseUrl, 'DELETE', '/faults');
		if (latencyMs > 0) {
			const latency = { kind: 'latency', ms: latencyMs, times: 'always' };
			await admin(baseUrl, 'POST', '/faults', latency);
		}
		// Taken back in between, so that each run starts with a full bucket.
		for (const set of [{}, limits])
			await admin(baseUrl, 'POST', '/accounts/bench/behaviour', { limits: set });

		const count = work.kind === 'search' ? 0 : work.leads;
		const urls = Array.from({ length: count }, (_, lead) => leadAt(lead).linkedin_url);
		const done =
			subject === 'undici'
				? await this.runUndici(work, urls)
				: await this.n8n.run(subject, work, urls);
		const path = `/requests?since=${this.lastSeq}`;
		const log = (await admin(baseUrl, 'GET', path)) as LoggedRequest[];
		this.lastSeq = log.at(-1)?.seq ?? this.lastSeq;
		const refused = log.filter(({ status }) => status === 429).length;
		const charged = log.reduce((sum, entry) => sum + entry.charged, 0);
		const failed = log.filter(({ status }) => status !== 200).length;
		const isWhole = [done.items, done.leads, charged].every((count) => count === work.leads);
		if (!isWhole || failed > (work.limits ? refused : 0))
			throw new Error(
				`This run of ${subjects[subject]} does not count: of ${work.leads} leads it returned ` +
					`${done.items} items of ${done.leads} leads for ${charged} credits; ${failed} requests failed`,
			);
		return { ...done, requests: log.length, refused };
	}

	private runUndici(work: Case, urls: readonly string[]): Promise<Work> {
		const isSearch = work.kind === 'search';
		const child = this.undici;
		return new Promise((resolve, reject) => {
			const ended = (code: number | null) => {
				reject(new Error(`undici's process ended with exit code ${code}`));
			};
			child.once('exit', ended);
			child.once('message', (report) => {
				child.off('exit', ended);
				resolve(report as Work);
			});
			child.send({
				url: this.service.baseUrl + (isSearch ? SEARCH_PATH : LOOKUP_PATH),
				authorization: `Bearer ${this.apiKey}`,
				rowsIn: isSearch ? 'preview_data' : 'data',
				inFlight: 8,
				pages: work.leads / pageSize,
				body: isSearch
					? { _include_raw: false, _per_page: pageSize, max_results: work.leads }
					: { linkedinUrls: urls, onlyWithEmails: false, _per_page: pageSize },
			});
		});
	}
}

async function admin(
	baseUrl: string,
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
