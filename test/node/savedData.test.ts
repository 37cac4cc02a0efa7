/** Tests the statements of SECURITY.md about saved data. */
import { createTrigger } from './pollCore';
import { first, production, status, useService } from './useService';

const shared = useService();

/** A field of each lead that Simplify leaves out. */
const LEFT_OUT = 'twitter_status';

test.each([
	['production run saves', production, 60, 75],
	['manual run saves', {}, 60, 75],
	['run with Reuse Paid Results 0 saves', production, 0, 75],
] as const)(
	'a failed %s its leads for its Retry, a successful Retry saves none, and the key is never saved',
	async (_, run, reusePaidResults, credits) => {
		const { search, account, spent } = shared.node({ faults: [{ ...status(500), page: 3 }] });
		const options = { pageSize: 25, parallelPages: 1, maxRetries: 0, reusePaidResults };
		const failed = await search({ limit: 75, options }, run);
		expect(failed.message).toContain('could not process');
		for (const text of [...first(50), LEFT_OUT]) expect(failed.saved).toContain(text);
		expect(failed.saved).not.toContain(account.apiKey);
		const retried = await search({ limit: 75, options }, { mode: 'retry', retryOf: failed });
		expect([retried.urls.length, spent()]).toEqual([75, credits]);
		expect(retried.saved).not.toContain('leadSearchPaidResults');
	},
);

test('a successful run saves only its output, without the fields that Simplify leaves out', async () => {
	const { saved, urls } = await shared.node().search({ limit: 5 }, production);
	expect(urls).toEqual(first(5));
	expect(saved).not.toContain(LEFT_OUT);
});

test('the trigger saves its cursor and hashes in static data, and no lead', async () => {
	const { poll, workflow } = await createTrigger(shared);
	const urls = first(20);
	expect(await poll()).toEqual(urls);
	const saved = JSON.stringify(workflow.saved());
	expect(saved).toContain('"row":20');
	for (const url of urls) expect(saved).not.toContain(url.replace(/.*\//, ''));
});
