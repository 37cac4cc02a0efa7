/** What SECURITY.md says is kept, and is not. What runs cost, and what polls log, `usage` and `trigger` test. */
import { openTrigger } from './pollCore';
import { first, iceland, oneExecution, production, status, useService } from './useService';

const shared = useService();

/** A field of each lead that Simplify leaves out. */
const LEFT_OUT = 'twitter_status';
const inPages = { pageSize: 25, parallelPages: 1, maxRetries: 0 };

test.each(['manual', 'trigger'] as const)(
	'a failed run in mode %s leaves in its data what it paid for, with the fields that Simplify leaves out, and no key',
	async (mode) => {
		const { search, account } = shared.node({ faults: [{ ...status(500), page: 3 }] });
		const { saved, message } = await search({ limit: 75, options: inPages }, { mode });
		expect(message).toContain('could not process');
		for (const url of first(50)) expect(saved).toContain(url);
		expect(saved).toContain(LEFT_OUT);
		expect(saved).not.toContain(account.apiKey);
	},
);

test('with Reuse Paid Results at 0 it leaves no lead, and Retry buys them anew', async () => {
	const { search, spent } = shared.node({ faults: [{ ...status(500), page: 3 }] });
	const parameters = { limit: 75, options: { ...inPages, reusePaidResults: 0 } };
	const failed = await search(parameters, production);
	expect(failed.message).toContain('could not process');
	for (const url of first(50)) expect(failed.saved).not.toContain(url);
	expect(failed.saved).not.toContain(LEFT_OUT);
	const again = await search(parameters, { mode: 'retry', retryOf: failed });
	expect([again.urls.length, spent()]).toEqual([75, 125]);
});

test('a run that went well leaves its output alone: no field that Simplify leaves out', async () => {
	const { saved, urls } = await shared.node().search({ limit: 5 }, production);
	expect(urls).toEqual(first(5));
	expect(saved).not.toContain(LEFT_OUT);
});

test('hints name the values of filters', async () => {
	const filters = { ...iceland, jobTitles: 'Alchemist of Ys' };
	const { hints } = await shared.customer().search({ filters });
	expect(JSON.stringify(hints)).toContain('Alchemist of Ys');
});

test('what is kept in memory is for whoever may use the credential, and for nobody with another', async () => {
	const { search, spent, nodeId } = shared.node();
	const costs: number[] = [];
	const others = [{ nodeId }, { workflowId: 'another' }, oneExecution(), { mode: 'integrated' }];
	for (const other of [...others, { credentialId: 'another' }]) {
		await search({ limit: 5 }, other as object);
		costs.push(spent());
	}
	expect(costs).toEqual([5, 5, 5, 5, 10]);
});

test('the trigger leaves its place and hashes in static data, and no lead', async () => {
	const { poll, workflow } = await openTrigger(shared);
	const urls = first(20);
	expect(await poll()).toEqual(urls);
	const saved = JSON.stringify(workflow.saved());
	expect(saved).toContain('"row":20');
	for (const url of urls) expect(saved).not.toContain(url.replace(/.*\//, ''));
});
