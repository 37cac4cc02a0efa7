/** Promise 4 in the modes of n8n: the same rule in each of them. */
import { randomUUID } from 'node:crypto';
import type { WorkflowExecuteMode } from 'n8n-workflow';

import { first, iceland, production, useService, type RunOptions } from './useService';

const { customer, node } = useService();

/** Runs the same search of 20 three times, as one node of one workflow. @returns what it has cost after each */
async function threeRuns(mode: WorkflowExecuteMode, options = {}): Promise<number[]> {
	const buyer = customer();
	const nodeId = randomUUID();
	const costs: number[] = [];
	for (let run = 0; run < 3; run++) {
		const { urls } = await buyer.search({ filters: iceland, limit: 20, options }, { mode, nodeId });
		expect(urls).toEqual(first(20));
		costs.push(buyer.spent());
	}
	return costs;
}

const MODES = ['manual', 'evaluation', 'chat', 'agent', 'retry'] as const;
const IN_PRODUCTION = ['trigger', 'webhook', 'integrated', 'cli'] as const;

test.each([...MODES, ...IN_PRODUCTION])(
	'in the mode %s three searches of the same 20 leads cost 20',
	async (mode) => {
		expect(await threeRuns(mode)).toEqual([20, 20, 20]);
	},
);

test.each(['evaluation', 'chat', 'trigger'] as const)(
	'in the mode %s each is paid with Reuse Paid Results 0',
	async (mode) => {
		expect(await threeRuns(mode, { reusePaidResults: 0 })).toEqual([20, 40, 60]);
	},
);

/** A node with credits for 6 of 10 leads, which it searches or looks up. */
function tenLeads(operation: 'search' | 'lookUp') {
	const { search, lookUpAll, ...buyer } = node({ apiCredits: 6 });
	const ask = async (run: RunOptions, options = {}) =>
		operation === 'search'
			? await search({ filters: iceland, limit: 10, options }, run)
			: await lookUpAll(first(10), run, options);
	return { ...buyer, ask };
}

test.each(['search', 'lookUp'] as const)(
	'a Retry of a sub-workflow, which n8n runs in a mode of its own, pays for the rest alone (%s)',
	async (operation) => {
		const { account, ask, topUp } = tenLeads(operation);
		const stopped = await ask({ mode: 'integrated' });
		expect(stopped.description).toMatch(
			/\. Run it again within 60 minutes: you pay only for the rest\.$/,
		);
		topUp();
		const retried = await ask({ mode: 'retry', retryOf: stopped });
		expect(retried.urls).toEqual(first(10));
		expect((await ask({ mode: 'integrated' })).urls).toEqual(first(10));
		expect(account.chargedLeads).toHaveLength(10);
	},
);

test.each(['search', 'lookUp'] as const)(
	'a Retry pays for nothing that another one, or the next execution, has bought (%s)',
	async (operation) => {
		const { account, ask, topUp } = tenLeads(operation);
		const stopped = await ask(production);
		topUp();
		const retry = { mode: 'retry', retryOf: stopped } as const;
		const both = await Promise.all([ask(retry), ask(retry)]);
		for (const { urls } of [...both, await ask(retry)]) expect(urls).toEqual(first(10));
		await ask(production);
		await ask(retry);
		expect(account.chargedLeads).toHaveLength(10);
	},
);
