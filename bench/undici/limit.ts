import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { findInstallation } from '../../sandbox/n8n';
import { LOOKUP_PATH, SEARCH_PATH } from '../../sandbox/service';
import type { BenchService } from '../service';
import { atOnce, requestsOf, type Work } from '../work';

/** What came of a job. */
export interface LimitReport {
	readonly milliseconds: number;
	/** Processor time, on all cores together. */
	readonly cpuMilliseconds: number;
	readonly items: number;
	/** Different LinkedIn URLs among them. */
	readonly leads: number;
	/** Fields of the last row. */
	readonly fields: number;
}

/** A process of n8n's own Node that has undici and nothing else; it ends with this one. */
export class Limit {
	private readonly child: ChildProcess;

	constructor(private readonly service: BenchService) {
		this.child = fork(join(__dirname, 'program.mjs'), {
			execPath: findInstallation().node,
			execArgv: ['--expose-gc'],
		});
	}

	/** @throws Error when the process ends before the work does. */
	run(work: Work, urls: readonly string[], parallel: boolean): Promise<LimitReport> {
		return new Promise((resolve, reject) => {
			const ended = (code: number | null) => {
				reject(new Error(`undici's process ended with exit code ${code}`));
			};
			this.child.once('exit', ended);
			this.child.once('message', (report) => {
				this.child.off('exit', ended);
				resolve(report as LimitReport);
			});
			this.child.send(this.job(work, urls, parallel));
		});
	}

	stop(): void {
		if (this.child.connected) this.child.disconnect();
	}

	private job(work: Work, urls: readonly string[], parallel: boolean): object {
		const search = work.kind === 'search';
		return {
			url: this.service.baseUrl + (search ? SEARCH_PATH : LOOKUP_PATH),
			authorization: `Bearer ${this.service.apiKey}`,
			rowsIn: search ? 'preview_data' : 'data',
			atOnce: parallel ? atOnce : 1,
			pages: requestsOf(work, 'undici'),
			body: search
				? {
						include_emails: true,
						include_phones: false,
						_include_raw: work.raw,
						_per_page: work.pageSize,
						max_results: work.leads,
					}
				: { linkedinUrls: urls, onlyWithEmails: false, _per_page: work.pageSize },
		};
	}
}
