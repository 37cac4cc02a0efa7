/** Tests promise 4 between runs: cached rows are not paid for again. */
import { EventEmitter, once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { everywhere, first, icelandUrls } from './useService';
import { containing, lossMessage, matching, production, status } from './useService';
import { useService, setLastResponseWait, type Fault, type RunOptions } from './useService';

const shared = useService();
const { node } = shared;
const withoutRetries = { options: { maxRetries: 0 } };

/** Creates an account that searches for the first leads, or looks up their profiles. */
function createBuyer(operation: 'search' | 'lookUp', setup: Parameters<typeof node>[0] = {}) {
	const buyer = node(setup);
	const buy = async (limit: number, run: RunOptions, options: INodeParameters = {}) =>
		operation === 'search'
			? await buyer.search({ limit, options }, run)
			: await buyer.lookUpAll(first(limit), run, options);
	return { ...buyer, buy };
}

describe('Retry On Fail', () => {
	const retryOnFail = { ...production, maxTries: 2 };

	test('a search for 5,000 leads that is retried by Retry On Fail after a 502 costs 5,000 credits', async () => {
		const { search } = node({ faults: [status(502, { nthRequest: 4 })] });
		const { urls, infos, spent } = await search(
			{ filters: everywhere, limit: 5_000, ...withoutRetries },
			retryOnFail,
		);
		expect([new Set(urls).size, spent]).toEqual([5_000, 5_000]);
		expect(infos).toEqual([
			matching(/ a work email\); 5,000 credits by this node in this execution so far$/),
			matching(/^\d+ of 5,000 leads were reused for 0 credits\./),
			"There may be more leads. To get the next leads, set 'Skip' under Options to 5000.",
		]);
	});

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'a response that was lost in an attempt that n8n discards is reported by the next attempt (%s)',
		async (onError) => {
			const { search } = node({ faults: [{ kind: 'loseAfterAnswer', nthRequest: 1 }] });
			const result = await search(
				{ limit: 40, maxCredits: 80, ...withoutRetries },
				{ ...retryOnFail, onError },
			);
			expect(result).toMatchObject({ urls: first(40), spent: 80 });
			expect(result.warnings).toContainEqual(containing(lossMessage('40 credits')));
		},
	);
});

describe('Manual runs', () => {
	test('a second Execute Step sends no request, and a hint says that the leads cost nothing', async () => {
		const { search } = node();
		const whole = { simplify: false };
		const { json } = await search(whole);
		const before = structuredClone(json);
		// A later node may change items, which must not change the cached rows.
		for (const lead of json) {
			lead.full_name = 'Changed';
			(lead.personal_emails as string[]).push('changed@alpha.example');
		}
		expect(await search(whole)).toMatchObject({
			json: before,
			pages: [1],
			infos: [
				'50 leads for 0 credits; 46 with an email (43 with a work email)',
				matching(
					/^All 50 leads were reused for 0 credits\. They are free until \d\d:\d\d, in this n8n process\.$/,
				),
				"There may be more leads. To get the next leads, set 'Skip' under Options to 50.",
			],
		});
	});

	test("a complete list is reused without a request, and only URLs that weren't found are requested again", async () => {
		const { search, lookUpAll, requests, spent } = node({ leads: 30 });
		const two = [icelandUrls[0] ?? '', 'https://www.linkedin.com/in/nobody-at-all'];
		const run = async () => [(await search({ returnAll: true })).json, (await lookUpAll(two)).json];
		const before = await run();
		const { length } = requests();
		expect(await run()).toEqual(before);
		const sentAgain = requests().slice(length);
		expect(sentAgain).toMatchObject([{ body: { linkedinUrls: [two[1]] }, charged: 0 }]);
		expect(spent()).toBe(31);
	});

	const otherBaseUrl = () => shared.service.baseUrl.replace('127.0.0.1', 'localhost');
	test.each<[string, INodeParameters, () => RunOptions]>([
		['another filter', { filters: { personLocationCountry: 'Germany' } }, () => ({})],
		['phones', { options: { includePhones: true } }, () => ({})],
		['the field raw', { simplify: false, options: { includeRaw: true } }, () => ({})],
		['another credential', {}, () => ({ credentialId: '2' })],
		['another address', {}, () => ({ credential: { baseUrl: otherBaseUrl() } })],
	])('a run with %s pays again', async (_, parameters, run) => {
		const { search } = node();
		await search({ limit: 5 });
		expect((await search({ limit: 5, ...parameters }, run())).spent).toBe(10);
	});

	test('a run with a new key in the same credential reuses the cached leads and pays for the remaining ones', async () => {
		const [buyer, { account, spent }] = [node(), node()];
		await buyer.search({ limit: 5 });
		const { urls } = await buyer.search({ limit: 8 }, { credential: { apiKey: account.apiKey } });
		expect(urls).toEqual(first(8));
		expect([buyer.spent(), spent()]).toEqual([5, 3]);
	});
});

test('no profile is paid for twice if Only With Emails is turned off and on again', async () => {
	const { lookUpAll, spent } = node();
	const requested = Array.from({ length: 40 }, (_, lead) => leadAt(lead).linkedin_url);
	const counts = [];
	for (const onlyWithEmails of [true, false, true]) {
		const { urls } = await lookUpAll(requested, production, { onlyWithEmails });
		counts.push([urls.length, spent()]);
	}
	const [[withEmail] = []] = counts;
	expect(withEmail).toBeLessThan(40);
	expect(counts).toEqual([
		[withEmail, withEmail],
		[40, 40],
		[withEmail, 40],
	]);
});

describe('Concurrent runs', () => {
	test('lookups of different profiles run concurrently', async () => {
		const slow: Fault = { kind: 'latency', ms: 200, times: 'always' };
		const { lookUpAll, requests } = node({ faults: [slow] });
		const lists = [icelandUrls.slice(0, 2), icelandUrls.slice(2, 4)];
		await Promise.all(lists.map(async (urls) => await lookUpAll(urls, production)));
		expect(Math.max(...requests().map(({ inFlight }) => inFlight))).toBe(2);
	});

	test.each([
		['production run after a stopped one', 'search', true, production],
		['production run after a stopped one', 'lookUp', true, production],
		['manual run next to a production run', 'search', false, {}],
	] as const)(
		'a %s waits for its requests in flight and pays nothing again (%s)',
		async (...row) => {
			setLastResponseWait(300_000);
			const [, operation, isStopped, run] = row;
			const slow: Fault = { kind: 'latency', ms: 300 };
			const { account, buy, waitForPage } = createBuyer(operation, { faults: [slow] });
			const requestSent = waitForPage(1);
			const earlier = buy(10, { ...production, ...(isStopped && { cancelWhen: requestSent }) });
			await requestSent;
			expect((await buy(10, run)).urls).toEqual(first(10));
			await earlier;
			expect(account.chargedLeads).toHaveLength(10);
		},
	);

	test('a cancelled run stops waiting for another run, and the other runs continue', async () => {
		const { buy, spent } = createBuyer('search', { leads: 300 });
		const events = new EventEmitter();
		const [requestSent, released] = [once(events, 'request'), once(events, 'go')];
		const beforeRequest = async () => {
			events.emit('request');
			await released;
		};
		const run = async (executionId: string, limit: number, more: RunOptions = {}) =>
			(await buy(limit, { executionId, ...more })).urls.length;
		const long = run('long', 300, { beforeRequest });
		await requestSent;
		const [cancelWhen, more] = [once(events, 'cancel'), run('more', 200)];
		const stopped = run('stopped', 200, { cancelWhen });
		await new Promise(setImmediate);
		events.emit('cancel');
		expect(await stopped).toBe(0);
		events.emit('go');
		expect(await Promise.all([long, more])).toEqual([300, 200]);
		expect(spent()).toBe(300);
	});
});

test('a run that skips past the end of a list whose last page was repeated sends no request', async () => {
	const { search, spent, requests } = node({ leads: 50, readings: { afterLast: 'lastPage' } });
	await search({ options: { skip: 55 } });
	const { length } = requests();
	const paid = spent();
	for (const skip of [55, 200, 50]) expect((await search({ options: { skip } })).urls).toEqual([]);
	expect([spent(), requests().length]).toEqual([paid, length]);
});
