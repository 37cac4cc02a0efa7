/**
 * Tests the cost and the leads of Lead Search Trigger in an n8n that polls and is killed during a poll, with and
 * without durable cursors. The mock service counts the charges, and n8n's executions have the delivered leads.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { until } from '../../sandbox/until';
import { useN8n, type TestN8n } from './harness';
import { durableCursors, onceAYear, openPolling, perBatch } from './polls';

/** Creates workflows that have a cursor, because n8n was killed while one of them polled. */
async function restart(n8n: TestN8n) {
	const { service, server } = n8n;
	const moved = await openPolling(n8n);
	const killed = await openPolling(n8n, { leads: 3 * perBatch });
	const outOfCredits = await openPolling(n8n, { apiCredits: perBatch });
	// Polls cost nothing until n8n is killed.
	const hang = { kind: 'hang', charge: true, times: 'always' } as const;
	service.admin.addFault({ ...hang, account: killed.account.id, page: 2 });
	await moved.publish({ times: onceAYear });
	await killed.publish({ batches: 3 });
	for (const one of [moved, killed]) await one.untilDelivered(1);
	await until('the second batch is charged', () => Promise.resolve(killed.charged().length === 2));
	// This workflow is published last, because n8n doubles its pause after each failed poll.
	await outOfCredits.publish({ batches: 2 });
	await outOfCredits.untilDelivered(1);
	await server.kill();
	service.admin.clearFaults();
	const before = outOfCredits.requests();
	await n8n.restart();
	return { moved, killed, outOfCredits, before };
}

describe.each([
	['off', {}, 6, [1, 2, 3, 4]],
	// A trigger with another ID delivers its last leads again, because the workflow's copy of its cursor stays behind.
	['on', durableCursors, 1, [1, 2, 2, 3, 3, 4]],
])('With durable cursors %s', (_, env, polls, expectedBatches) => {
	const n8n = useN8n({
		N8N_LOG_FORMAT: 'json',
		...env,
		// Concurrent polls wait for each other with two connections, the default. If the database takes more than 5 seconds
		// to respond, n8n doesn't respond either for some time.
		DB_POSTGRESDB_POOL_SIZE: '10',
		DB_PING_TIMEOUT_MS: '60000',
	});

	describe('After a kill of n8n', () => {
		let workflows: Awaited<ReturnType<typeof restart>>;
		beforeAll(async () => {
			workflows = await restart(n8n);
		});

		test('a workflow that ran out of credits continues after a kill of n8n once there are credits', async () => {
			const { requests, account, untilDelivered } = workflows.outOfCredits;
			// n8n activates a workflow that fails at its start five times, then never again.
			const hasPolled = () => Promise.resolve(requests() >= workflows.before + polls);
			await until(`${polls} polls meet a 402`, hasPolled);
			n8n.service.admin.setCredits(account.id, { apiCredits: 10_000 });
			await untilDelivered(2);
		});

		test('a restart and publishing cost nothing, and each lead is delivered, even with a new node name and new node IDs', async () => {
			const { charged, delivered, publish, untilDelivered } = workflows.moved;
			const name = 'Leads of the year';
			await publish({ name, times: onceAYear });
			await until('n8n has activated it', async () =>
				(await readFile(n8n.server.logFile, 'utf8'))
					.split('\n')
					.some((line) => line.includes(name) && line.includes('the workflow is active')),
			);
			expect(charged()).toEqual([1]);
			await publish({ name, batches: 2 });
			await untilDelivered(2);
			// An assistant or the public API saves a workflow this way.
			await publish({ id: randomUUID(), name, batches: 3 });
			await untilDelivered(3);
			await publish({ id: randomUUID(), batches: 4 });
			await untilDelivered(4);
			expect(charged()).toEqual([1, 2, 3, 4]);
			expect(await delivered()).toEqual(expectedBatches);
		});

		test('a poll during which n8n was killed is charged again, and its leads are delivered once', async () => {
			const { charged, delivered, untilDelivered } = workflows.killed;
			await untilDelivered(3);
			expect(charged()).toEqual([1, 2, 2, 3]);
			expect(await delivered()).toEqual([1, 2, 3]);
		});
	});

	test('a key that is refused at publishing is reported, and polls continue', async () => {
		const { account, publish, failures, charged, untilDelivered } = await openPolling(n8n);
		n8n.service.admin.addFault({ account: account.id, page: 1, kind: 'status', status: 401 });
		await publish({ batches: 1 });
		await untilDelivered(1);
		expect((await failures())[0]).toContain('was not accepted (401)');
		expect(charged()).toEqual([1]);
	});

	test('the leads of a poll during which the workflow is unpublished, and published later, are delivered once and paid for once', async () => {
		const polling = await openPolling(n8n);
		const { account, publish, unpublish, requests, untilDelivered } = polling;
		const { charged, delivered } = polling;
		const slow = { kind: 'latency', ms: 6_000, account: account.id, page: 2 } as const;
		n8n.service.admin.addFault(slow);
		await publish({ batches: 3 });
		await until('the second poll waits for its answer', () => Promise.resolve(requests() === 2));
		await unpublish();
		await until('the second poll has its response', () => Promise.resolve(charged().length === 2));
		await publish({ batches: 4 });
		await untilDelivered(4);
		expect(charged()).toEqual([1, 2, 3, 4]);
		expect(await delivered()).toEqual([1, 2, 3, 4]);
	});
});
