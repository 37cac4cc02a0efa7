/** The service, here, and n8n and undici, each in a process of its own, ready to be set to work. */
import { once } from 'node:events';
import { join } from 'node:path';

import execa from 'execa';

import { findInstallation } from '../sandbox/n8n';
import { leadAt, startService } from '../sandbox/service';
import { endpoints, pageSize, subjects, type Case, type Subject } from './cases';
import { leastOf, type Outcome, type Run } from './figures';
import { startBenchN8n, type N8nOptions } from './n8n/n8n';

/** Everything that a case runs in; it ends with this process. */
export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/** More than a whole bench spends. */
const apiCredits = 1_000_000_000;

/** Starts the service, n8n and undici. This process has nothing else to do while they work. */
export async function startEnvironment(options: N8nOptions) {
	const service = await startService({ keepsAnswers: true });
	const { baseUrl, admin } = service;
	const { apiKey } = admin.createAccount({ apiCredits });
	const n8n = await startBenchN8n(options, { baseUrl, apiKey });
	const undici = execa.node(join(__dirname, 'undici.mjs'), [], {
		nodePath: findInstallation().node,
		nodeOptions: ['--expose-gc'],
	});

	async function runUndici({ kind, leads }: Case, linkedinUrls: readonly string[]) {
		const { path, rowsIn } = endpoints[kind];
		const body =
			kind === 'search'
				? { _include_raw: false, max_results: leads }
				: { linkedinUrls, onlyWithEmails: false };
		undici.send({
			url: baseUrl + path,
			authorization: `Bearer ${apiKey}`,
			body: { ...body, _per_page: pageSize },
			rowsIn,
			inFlight: 8,
			pages: leads / pageSize,
		});
		// Once it has ended instead, the process rejects with what it said.
		const [outcome] = (await Promise.race([once(undici, 'message'), undici])) as [Outcome];
		return outcome;
	}

	return {
		/**
		 * Sets a subject to work, once.
		 * @throws Error when it did not do all of the work, or other: whoever drops leads is fast
		 */
		async run(subject: Subject, work: Case): Promise<Run> {
			if (subject === 'least') return leastOf(work);
			const { kind, latencyMs, limits = {} } = work;
			const since = admin.requests().at(-1)?.seq;
			admin.clearFaults();
			admin.addFault({ kind: 'latency', ms: latencyMs, times: 'always' });
			admin.setBehaviour(apiKey, { limits });
			const count = kind === 'search' ? 0 : work.leads;
			const urls = Array.from({ length: count }, (_, lead) => leadAt(lead).linkedin_url);
			const { items, leads, ...took } =
				subject === 'undici'
					? await runUndici(work, urls)
					: await n8n.run(subject, work, urls);
			await admin.idle();
			const requests = admin.requests({ since });
			const refused = requests.filter(({ status }) => status === 429).length;
			const charged = requests.reduce((sum, request) => sum + request.charged, 0);
			const failed = requests.filter(({ status }) => status !== 200).length;
			const isWhole = [items, leads, charged].every((sum) => sum === work.leads);
			if (!isWhole || failed > (work.limits ? refused : 0))
				throw new Error(
					`This run of ${subjects[subject]} does not count: of ${work.leads} leads it returned ` +
						`${items} items of ${leads} leads for ${charged} credits; ${failed} requests failed`,
				);
			return { ...took, requests: requests.length, refused };
		},
		async stop(): Promise<void> {
			await n8n.stop();
			undici.disconnect();
			await service.close();
		},
	};
}
