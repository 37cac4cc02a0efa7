/** The service, n8n and undici, each in a process of its own, ready to be set to work. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { findInstallation } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import { leadAt, LOOKUP_PATH, SEARCH_PATH } from '../sandbox/service';
import { pageSize, subjects, type Case, type Subject } from './cases';
import { startBenchN8n, type BenchN8n, type N8nOptions, type Work } from './n8n/n8n';
import type { Conditions, ServiceReport } from './service';

/** One run that did its work. */
export interface Run extends Work {
	readonly requests: number;
	/** Requests answered with 429. */
	readonly refused: number;
}

/** Everything that a case runs in; it ends with this process. */
export class Environment {
	private constructor(
		private readonly service: ChildProcess,
		private readonly undici: ChildProcess,
		private readonly access: Pick<ServiceReport, 'baseUrl' | 'apiKey'>,
		private readonly n8n: BenchN8n,
	) {}

	static async start(options: Omit<N8nOptions, 'baseUrl' | 'apiKey'>): Promise<Environment> {
		const service = fork(join(__dirname, 'service.ts'), {
			cwd: projectFolder,
			execArgv: ['--import', 'tsx'],
		});
		const undici = fork(join(__dirname, 'undici.mjs'), {
			execPath: findInstallation().node,
			execArgv: ['--expose-gc'],
		});
		const access = await setConditions(service, { latencyMs: 0 });
		const n8n = await startBenchN8n({ ...options, ...access });
		return new Environment(service, undici, access, n8n);
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		for (const child of [this.undici, this.service]) if (child.connected) child.disconnect();
	}

	/**
	 * Sets a subject to work, once.
	 * @throws Error when it did not do all of the work, or other work: whoever drops leads is fast
	 */
	async run(subject: Subject, work: Case): Promise<Run> {
		await setConditions(this.service, work);
		const count = work.kind === 'search' ? 0 : work.leads;
		const urls = Array.from({ length: count }, (_, lead) => leadAt(lead).linkedin_url);
		const done =
			subject === 'undici'
				? await this.runUndici(work, urls)
				: await this.n8n.run(subject, work, urls);
		const { requests } = await setConditions(this.service, { latencyMs: 0 });
		const refused = requests.filter(({ status }) => status === 429).length;
		const charged = requests.reduce((sum, request) => sum + request.charged, 0);
		const failed = requests.filter(({ status }) => status !== 200).length;
		const isWhole = [done.items, done.leads, charged].every((sum) => sum === work.leads);
		if (!isWhole || failed > (work.limits ? refused : 0))
			throw new Error(
				`This run of ${subjects[subject]} does not count: of ${work.leads} leads it returned ` +
					`${done.items} items of ${done.leads} leads for ${charged} credits; ${failed} requests failed`,
			);
		return { ...done, requests: requests.length, refused };
	}

	private async runUndici(work: Case, urls: readonly string[]): Promise<Work> {
		const isSearch = work.kind === 'search';
		const { baseUrl, apiKey } = this.access;
		const report = await ask(this.undici, {
			url: baseUrl + (isSearch ? SEARCH_PATH : LOOKUP_PATH),
			authorization: `Bearer ${apiKey}`,
			rowsIn: isSearch ? 'preview_data' : 'data',
			inFlight: 8,
			pages: work.leads / pageSize,
			body: isSearch
				? { _include_raw: false, _per_page: pageSize, max_results: work.leads }
				: { linkedinUrls: urls, onlyWithEmails: false, _per_page: pageSize },
		});
		return report as Work;
	}
}

async function setConditions(
	service: ChildProcess,
	{ latencyMs, limits }: Conditions,
): Promise<ServiceReport> {
	return (await ask(service, { latencyMs, limits })) as ServiceReport;
}

/** Sends a message to a process, and resolves with its reply; rejects when it ends instead. */
function ask(child: ChildProcess, message: object): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const ended = (code: number | null) => {
			reject(new Error(`${child.spawnfile} ended with exit code ${code}`));
		};
		child.once('exit', ended);
		child.once('message', (reply) => {
			child.off('exit', ended);
			resolve(reply);
		});
		child.send(message);
	});
}
