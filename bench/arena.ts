import { checkOutcome, type Outcome } from './check';
import type { Cell } from './cells';
import { BenchN8n } from './n8n/benchN8n';
import type { Batching, NodeContestant } from './n8n/workflows';
import { BenchService, profileUrls } from './service';
import { Limit } from './undici/limit';
import type { Contestant, Work } from './work';

/** Bytes. */
export interface Memory {
	/** The most that was resident at any time. */
	readonly peak: number;
	/** What the items of all nodes took in the end, without what could be collected. */
	readonly held: number;
}

/** One run that counts. */
export interface Run {
	/** Node time, of all its nodes together; of undici, all of its time. */
	readonly milliseconds: number;
	/** Processor time of the process that it ran in, on all cores together. */
	readonly cpuMilliseconds: number;
	/** Of n8n, above what it had before the run; where the system tells. */
	readonly memory: Memory | undefined;
	readonly outcome: Outcome;
	/** Requests that were under way at the same time. */
	readonly atOnce: number;
}

/** The service, n8n and undici, each in a process of its own, ready to be set to work. */
export class Arena {
	private readonly urls = new Map<number, readonly string[]>();
	/** How HTTP Request sends the requests of many input items. */
	batching: Batching = { batchSize: -1, batchInterval: 0 };

	private constructor(
		readonly service: BenchService,
		readonly n8n: BenchN8n,
		private readonly limit: Limit,
	) {}

	/** @param folder for n8n's data; it is made anew. */
	static async open(folder: string): Promise<Arena> {
		const service = await BenchService.start();
		const n8n = new BenchN8n(folder, service);
		try {
			await n8n.start();
			return new Arena(service, n8n, new Limit(service));
		} catch (error) {
			await n8n.stop();
			await service.stop();
			throw error;
		}
	}

	async close(): Promise<void> {
		this.limit.stop();
		await this.n8n.stop();
		await this.service.stop();
	}

	/**
	 * Sets a contestant to work, once.
	 *
	 * @throws Error when it did not do all of the work, or other work.
	 */
	async run(
		contestant: Contestant,
		{ work, latencyMs }: Cell,
		batching = this.batching,
	): Promise<Run> {
		await this.service.setLatency(latencyMs);
		await this.service.forget();
		const ran =
			contestant === 'undici' || contestant === 'undiciParallel'
				? await this.runUndici(contestant, work)
				: await this.runNodes(contestant, work, batching);
		const { atOnce, ...seen } = await this.service.seen();
		const { milliseconds, cpuMilliseconds, memory, items, leads, fields } = ran;
		const outcome = { items, leads, fields, ...seen };
		checkOutcome(work, contestant, outcome);
		return { milliseconds, cpuMilliseconds, memory, outcome, atOnce };
	}

	private async runUndici(contestant: 'undici' | 'undiciParallel', work: Work) {
		const parallel = contestant === 'undiciParallel';
		const report = await this.limit.run(work, this.urlsFor(work), parallel);
		return { ...report, memory: undefined };
	}

	private async runNodes(contestant: NodeContestant, work: Work, batching: Batching) {
		const idle = await this.n8n.inside.settle();
		const report = await this.n8n.run(contestant, work, this.urlsFor(work), batching);
		if (report.status !== 'success') {
			throw new Error(`The workflow ended with ${report.status}: ${report.error ?? ''}`);
		}
		const nodes = report.nodes.filter(({ name }) => report.counted.includes(name));
		const last = nodes.find(({ name }) => name === report.counted.at(-1));
		const { items, leads, fields } = last ?? { items: 0, leads: 0, fields: 0 };
		const { peakBytes, heldBytes, cpuMilliseconds } = report;
		return {
			milliseconds: nodes.reduce((sum, node) => sum + node.milliseconds, 0),
			cpuMilliseconds,
			memory:
				idle === undefined || peakBytes === undefined
					? undefined
					: { peak: peakBytes - idle, held: heldBytes },
			items,
			leads,
			fields,
		};
	}

	private urlsFor(work: Work): readonly string[] {
		if (work.kind === 'search') return [];
		const known = this.urls.get(work.leads) ?? profileUrls(work.leads);
		this.urls.set(work.leads, known);
		return known;
	}
}
