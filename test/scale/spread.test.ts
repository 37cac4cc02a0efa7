/** Many executions at once, over several workers: everything arrives, and is paid for once. */
import { readFileSync } from 'node:fs';

import Table from 'cli-table3';

import type { Worker } from '../../sandbox/n8n/index';
import type { Limits } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf } from '../n8n/harness';
import { waitLong, publishHooked, say, searchNode, useQueueMode } from './harness';

const executions = 60;
const leadsEach = 2_000;

const fixture = useQueueMode({ workers: 3 });

/** What the service takes of one account, in queue mode too. */
const limits: Limits = { perSecond: 10, concurrent: 4, headers: ['Retry-After'] };

/** Seconds that the limit takes at best, beyond the first burst. */
const leastSeconds = (executions * 2) / 10 - 1;

test.each([
	['', undefined],
	[' at 10 requests a second, 4 at once', limits],
])(
	'60 searches of 2,000 leads at once%s are shared by the workers, each paid for once',
	async (_, wanted) => {
		const { client, mode, service } = fixture;
		const account = service.admin.createAccount({
			apiCredits: 200_000,
			...(wanted && { limits: wanted }),
		});
		const before = await Promise.all(
			mode.workers.map((worker) => worker.executions('finished')),
		);
		const search = searchNode(await credentialOf(fixture.client, fixture.service, account), {
			limit: leadsEach,
		});
		const hooked = await publishHooked(fixture, [search]);
		const idle = mode.workers.map(megabytes);

		const started = Date.now();
		await Promise.all(Array.from({ length: executions }, () => hooked.start()));
		await until(
			'all executions have ended',
			async () => {
				const statuses = (await client.summaries(hooked.workflow)).map(
					({ status }) => status,
				);
				return (
					statuses.filter((status) => status !== 'new' && status !== 'running').length ===
					executions
				);
			},
			waitLong,
		);
		const seconds = (Date.now() - started) / 1000;

		// The workers log the end of an execution a moment after it is in the database.
		await until(
			'the workers have logged all ends',
			async () => {
				const ids = await Promise.all(
					mode.workers.map((worker) => worker.executions('finished')),
				);
				return ids.flat().length === before.flat().length + executions;
			},
			waitLong,
		);

		const summaries = await client.summaries(hooked.workflow);
		const finished = await Promise.all(
			mode.workers.map(async (worker, index) => ({
				name: worker.name,
				ids: (await worker.executions('finished')).filter(
					(id) => !before[index]?.includes(id),
				),
				most: megabytes(worker),
			})),
		);
		let delivered = 0;
		for (const { id } of summaries) {
			delivered += (await client.waitForExecution(id)).items('Search for leads').length;
		}
		const requests = service.admin.requests({ account: account.id });
		printTable(
			'Worker',
			['Executions', 'MB before', 'MB at most'],
			finished.map(({ name, ids, most }, index) => [
				name,
				ids.length,
				idle[index] ?? 0,
				most,
			]),
		);
		printTable(
			'Ledger',
			[''],
			[
				['Leads delivered', delivered],
				['Credits before', 200_000],
				['Credits after', account.apiCredits],
				['Credits spent', account.spent.apiCredits],
				['Requests', requests.length],
				['Of them refused', requests.filter(({ status }) => status === 429).length],
				['Seconds', seconds.toFixed(1)],
				['At best', wanted ? leastSeconds.toFixed(1) : 'unknown'],
			],
		);

		expect(summaries.map(({ status }) => status)).toEqual(Array(executions).fill('success'));
		// Each execution ran once, on one worker, and every worker had a share.
		expect(finished.flatMap(({ ids }) => ids).sort()).toEqual(
			summaries.map(({ id }) => id).sort(),
		);
		for (const { ids } of finished) expect(ids.length).toBeGreaterThan(0);
		expect(delivered).toBe(executions * leadsEach);
		expect(account.spent.apiCredits).toBe(executions * leadsEach);
		expect(account.apiCredits).toBe(200_000 - executions * leadsEach);
		// Two pages each: nothing that was answered was asked for again.
		expect(requests.filter(({ status }) => status === 200)).toHaveLength(executions * 2);
	},
);

/** The most memory that a worker has had, where the system tells. */
function megabytes(worker: Worker): number {
	if (process.platform !== 'linux') return 0;
	const status = readFileSync(`/proc/${worker.pid}/status`, 'utf8');
	return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

function printTable(
	name: string,
	columns: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): void {
	const table = new Table({
		head: [name, ...columns],
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(...rows.map((row) => row.map((cell) => cell.toLocaleString('en'))));
	for (const line of table.toString().split('\n')) say(line);
}
