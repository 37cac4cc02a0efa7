/** The service, n8n and undici, each in a process of its own, ready to be set to work. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { findInstallation } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import { leadAt, LOOKUP_PATH, SEARCH_PATH } from '../sandbox/service';
import { pageSize, subjects, type Case, type Subject } from './cases';
import { startBenchN8n, type N8nOptions, type Work } from './n8n/n8n';
import type { Conditions, ServiceReport } from './service';

/** One run that did its work. */
export interface Run extends Work {
	readonly requests: number;
	/** Requests answered with 429. */
	readonly refused: number;
}

/** Everything that a case runs in; it ends with this process. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** Starts the service, n8n and undici. */
export async function startEnvironment(options: Omit<N8nOptions, 'baseUrl' | 'apiKey'>) {
	const service = fork(join(__dirname, 'service.ts'), {
		cwd: projectFolder,
		execArgv: ['--import', 'tsx'],
	});
	const undici = fork(join(__dirname, 'undici.mjs'), {
		execPath: findInstallation().node,
		execArgv: ['--expose-gc'],
	});
	const { baseUrl, apiKey } = await setConditions(service, { latencyMs: 0 });
	const n8n = await startBenchN8n({ ...options, baseUrl, apiKey });

	async function runUndici(work: Case, urls: readonly string[]): Promise<Work> {
		const isSearch = work.kind === 'search';
		const report = await ask(undici, {
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

	return {
		/**
		 * Sets a subject to work, once.
		 * @throws Error when it did not do all of the work, or other: whoever drops leads is fast
		 */
		async run(subject: Subject, work: Case): Promise<Run> {
			await setConditions(service, work);
			const count = work.kind === 'search' ? 0 : work.leads;
			const urls = Array.from({ length: count }, (_, lead) => leadAt(lead).linkedin_url);
			const done =
				subject === 'undici'
					? await runUndici(work, urls)
					: await n8n.run(subject, work, urls);
			const { requests } = await setConditions(service, { latencyMs: 0 });
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
		},
		async stop(): Promise<void> {
			await n8n.stop();
			for (const child of [undici, service]) if (child.connected) child.disconnect();
		},
	};
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
