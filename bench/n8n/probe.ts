import { readFile } from 'node:fs/promises';

import { request } from 'undici';

import { until } from '../../sandbox/until';

/** One node in a run of a workflow. */
export interface NodeReport {
	readonly name: string;
	/** n8n's own `executionTime`. */
	readonly milliseconds: number;
	/** Items of the first output. */
	readonly items: number;
	/** Different LinkedIn URLs among them. */
	readonly leads: number;
	/** Fields of the last item. */
	readonly fields: number;
}

/** A run of a workflow that has ended. */
export interface RunReport {
	readonly status: string;
	readonly error?: string;
	readonly nodes: readonly NodeReport[];
	/** Processor time of n8n since it was settled, on all cores together. */
	readonly cpuMilliseconds: number;
	/** The most memory that n8n has had resident since it was settled; only where Linux tells. */
	readonly peakBytes?: number;
	/** What n8n held on to at the end of the run, with the items of all its nodes, more than before. */
	readonly heldBytes: number;
}

/** Talks to `inside.cjs`, inside n8n. */
export class Probe {
	private constructor(private readonly url: string) {}

	/**
	 * Finds the probe of an n8n that is up.
	 *
	 * @param file what BENCH_PROBE_FILE names.
	 */
	static async find(file: string): Promise<Probe> {
		const url = await until('n8n has loaded the probe', () =>
			readFile(file, 'utf8').catch(() => undefined),
		);
		return new Probe(url);
	}

	/**
	 * The next run that ends, or has ended and wasn't asked about yet.
	 *
	 * @param timeout milliseconds.
	 */
	async nextRun(timeout: number): Promise<RunReport> {
		return (await this.get('/next-run', timeout)) as RunReport;
	}

	/**
	 * Has n8n collect its garbage, and lets its peak of memory begin anew.
	 *
	 * @returns bytes resident now; undefined where the system doesn't tell.
	 */
	async settle(): Promise<number | undefined> {
		const { idleBytes } = (await this.get('/settle')) as { idleBytes?: number };
		return idleBytes;
	}

	/** Starts to note what n8n's processor time goes into. */
	async startProfile(): Promise<void> {
		await this.get('/profile-start');
	}

	/** Ends it. Resolves with what a .cpuprofile file holds. */
	async stopProfile(): Promise<unknown> {
		return this.get('/profile-stop');
	}

	private async get(path: string, timeout = 60_000): Promise<unknown> {
		const { body } = await request(this.url + path, {
			// No connection is kept, so that none is found closed after a long run.
			reset: true,
			headersTimeout: timeout,
			bodyTimeout: timeout,
		});
		return body.json();
	}
}
