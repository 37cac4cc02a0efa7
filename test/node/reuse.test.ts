/** Promise 4, between runs: what was paid for is not paid for again. */
import { EventEmitter, once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';

import { leadAt } from '../../sandbox/service';
import { nodeOf } from './n8nCore';
import { first, icelanders, letMinutesPass, merge, oneExecution } from './useService';
import { lost, matching, production, status } from './useService';
import { useService, waitForLastAnswers, type Fault, type RunOptions } from './useService';

const shared = useService();
const { node } = shared;
const withoutRetries = { options: { maxRetries: 0 } };
const everywhere = { filters: {} };

/** Buys the first of these leads, or their profiles. */
function buyerOf(operation: 'search' | 'lookUp', setup: Parameters<typeof node>[0] = {}) {
	const buyer = node(setup);
	const ask = async (limit: number, run: RunOptions, options: INodeParameters = {}) =>
		operation === 'search'
			? await buyer.search({ limit, options }, run)
			: await buyer.lookUpAll(first(limit), run, options);
	return { ...buyer, ask };
}

describe('Retry On Fail', () => {
	const twice = { ...production, maxTries: 2 };

	test('5,000 leads at 1,000 a page, the fourth request answered with 502: 5,000 credits', async () => {
		const { search } = node({ faults: [status(502, { nthRequest: 4 })] });
		const { urls, infos, spent } = await search(
			{ ...everywhere, limit: 5_000, ...withoutRetries },
			twice,
		);
		expect([new Set(urls).size, spent]).toEqual([5_000, 5_000]);
		expect(infos).toEqual([
			matching(/ a work email\); 5,000 credits by this node in this execution so far$/),
			matching(
				/^\d,000 of 5,000 leads were paid for within the last minute and cost nothing now\./,
			),
		]);
	});

	test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'what a try lost that n8n drops is told by the next one, and counts (%s)',
		async (onError) => {
			const { search } = node({ faults: [{ kind: 'loseAfterAnswer', nthRequest: 1 }] });
			const result = await search(
				{ limit: 40, maxCredits: 80, ...withoutRetries },
				{ ...twice, onError },
			);
			expect(result).toMatchObject({ urls: first(40), spent: 80 });
			expect(result.warnings).toContain(
				`${lost('40 credits')} Smaller pages are asked for now, and so it goes on for a day. If it happens again, set a smaller 'Page Size' under Options.`,
			);
		},
	);
});

describe('Run by hand', () => {
	test('the second Execute Step sends no request and says that it cost nothing', async () => {
		const { search } = node();
		const whole = { simplify: false };
		const { json } = await search(whole);
		const before = structuredClone(json);
		// What a later node changes does not come back changed.
		for (const lead of json) {
			lead.full_name = 'Changed';
			(lead.personal_emails as string[]).push('changed@alpha.example');
		}
		expect(await search(whole)).toMatchObject({
			json: before,
			pages: [1],
			infos: [
				'50 leads for 0 credits; 46 with an email (43 with a work email)',
				"All 50 leads were paid for within the last minute and cost nothing now. To buy them anew, set 'Reuse Paid Results' to 0.",
			],
		});
	});

	test('a complete list is asked for nothing, and URLs that are not found are asked for again', async () => {
		const { search, lookUpAll, requests, spent } = node({ leads: 30 });
		const two = [icelanders[0] ?? '', 'https://www.linkedin.com/in/nobody-at-all'];
		const run = async () => [(await search({ returnAll: true })).json, (await lookUpAll(two)).json];
		const before = await run();
		const { length } = requests();
		expect(await run()).toEqual(before);
		const asked = requests().slice(length);
		expect(asked).toMatchObject([{ body: { linkedinUrls: [two[1]] }, charged: 0 }]);
		expect(spent()).toBe(31);
	});

	const elsewhere = () => shared.service.baseUrl.replace('127.0.0.1', 'localhost');
	test.each<[string, INodeParameters, () => RunOptions]>([
		['another filter', { filters: { personLocationCountry: 'Germany' } }, () => ({})],
		['the field raw', { simplify: false, options: { includeRaw: true } }, () => ({})],
		['another credential', {}, () => ({ credentialId: '2' })],
		['one at another address', {}, () => ({ credential: { baseUrl: elsewhere() } })],
	])('%s pays', async (_, parameters, run) => {
		const { search } = node();
		await search({ limit: 5 });
		expect((await search({ limit: 5, ...parameters }, run())).spent).toBe(10);
	});

	test('a new key in the same credential pays only for the rest', async () => {
		const [buyer, { account, spent }] = [node(), node()];
		await buyer.search({ limit: 5 });
		const { urls } = await buyer.search({ limit: 8 }, { credential: { apiKey: account.apiKey } });
		expect(urls).toEqual(first(8));
		expect([buyer.spent(), spent()]).toEqual([5, 3]);
	});
});

test('Only With Emails buys no profile anew, turned off or on again', async () => {
	const { lookUpAll, spent } = node();
	const people = Array.from({ length: 40 }, (_, lead) => leadAt(lead).linkedin_url);
	const counts = [];
	for (const onlyWithEmails of [true, false, true]) {
		const { urls } = await lookUpAll(people, production, { onlyWithEmails });
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

describe('Age', () => {
	test('a search is as old as its first purchase, whatever is added, and used whole or not at all', async () => {
		const { ask, spent } = buyerOf('search');
		const costs: number[] = [];
		for (const [limit, minutes] of [
			[30, 40],
			[50, 19],
			[50, 1],
			[50, 0],
		] as const) {
			const { infos } = await ask(limit, production);
			costs.push(spent());
			if (costs.length === 3)
				expect(infos[1]).toMatch(/^All 50 leads were paid for within the last (59|60) minutes/);
			letMinutesPass(minutes);
		}
		expect(costs).toEqual([30, 50, 50, 100]);
	});

	test.each(['search', 'lookUp'] as const)(
		'an hourly schedule never reuses what its last run has bought (%s)',
		async (operation) => {
			const { ask, spent } = buyerOf(operation);
			for (let hour = 1; hour <= 5; hour++) {
				await ask(10, production);
				expect(spent()).toBe(10 * hour);
				letMinutesPass(59.6);
			}
		},
	);

	test('what an execution adds to an older list is not paid for twice in it, however long it takes', async () => {
		const { search, spent } = node();
		const its = { ...production, ...oneExecution() };
		await search({ limit: 30 }, production);
		letMinutesPass(50);
		for (const limit of [50, 60, 60]) {
			await search({ limit }, its);
			letMinutesPass(90);
		}
		expect(spent()).toBe(60);
		await search({ limit: 60 }, production);
		expect(spent()).toBe(120);
	});

	test('reusing one old list makes no other list fresh', async () => {
		const { search, spent } = node();
		const germany = { filters: { personLocationCountry: 'Germany' }, limit: 10 };
		const its = { ...production, ...oneExecution() };
		await search({ limit: 10 }, production);
		await search(germany, production);
		letMinutesPass(30);
		await search({ limit: 10, options: { reusePaidResults: 1_440 } }, its);
		expect(spent()).toBe(20);
		await search({ ...germany, options: { reusePaidResults: 5 } }, its);
		expect(spent()).toBe(30);
	});

	test('what anybody has bought since an execution began is not bought again in it, however long it takes', async () => {
		const { search, spent } = node();
		const its = { ...production, ...oneExecution() };
		await search({ filters: { personLocationCountry: 'Germany' }, limit: 1 }, its);
		await search({ limit: 10 }, production);
		letMinutesPass(90);
		await search({ limit: 10 }, its);
		expect(spent()).toBe(11);
	});

	test('what others add to an old list does not make it fresh for an execution that began before', async () => {
		const { search, spent } = node();
		const its = { ...production, ...oneExecution() };
		const options = { reusePaidResults: 5 };
		await search({ limit: 10 }, production);
		letMinutesPass(30);
		await search({ filters: { personLocationCountry: 'Germany' }, limit: 1, options }, its);
		await search({ limit: 20 }, production);
		expect(spent()).toBe(21);
		await search({ limit: 10, options }, its);
		expect(spent()).toBe(31);
	});

	test('the Retry of an execution that another node failed goes on from what it has bought', async () => {
		const { search, spent } = node();
		const failed = await search({ limit: 30 }, production);
		// n8n's loop comes back to this node.
		const start = {
			node: nodeOf('Start', 'start'),
			data: { main: [[{ json: {} }]] },
			source: null,
		};
		failed.run.data.executionData?.nodeExecutionStack.push(start);
		letMinutesPass(180);
		await search({ limit: 40 }, { mode: 'retry', retryOf: failed });
		expect(spent()).toBe(40);
	});
});

test('a list that has grown since an earlier run is continued, and a hint says that it has changed', async () => {
	const { search, addFault, spent } = node({ leads: 60 });
	const options = { pageSize: 10, parallelPages: 1 };
	await search({ limit: 20, options }, production);
	// Ten leads are new, and come first.
	const shifted = icelanders.slice(10, 20).map((linkedin_url) => ({ linkedin_url }));
	addFault({ ...merge({ preview_data: shifted }), page: 3 });
	const { urls, warnings, error } = await search({ limit: 40, options }, production);
	expect(error).toBeUndefined();
	expect(urls).toEqual([...first(20), ...icelanders.slice(10, 20), ...icelanders.slice(30, 40)]);
	expect(warnings.join(' ')).toContain('A page began with leads that had come before');
	expect(spent()).toBe(40);
});

describe('At once', () => {
	test('different profiles are looked up side by side', async () => {
		const slow: Fault = { kind: 'latency', ms: 200, times: 'always' };
		const { lookUpAll, requests } = node({ faults: [slow] });
		const asked = [icelanders.slice(0, 2), icelanders.slice(2, 4)];
		await Promise.all(asked.map(async (urls) => await lookUpAll(urls, production)));
		expect(Math.max(...requests().map(({ inFlight }) => inFlight))).toBe(2);
	});

	test.each([
		['in production after one that is stopped', 'search', true, production],
		['in production after one that is stopped', 'lookUp', true, production],
		['by hand beside one in production', 'search', false, {}],
	] as const)('%s: what is on its way is paid for once (%s)', async (...row) => {
		waitForLastAnswers(300_000);
		const [, operation, isStopped, how] = row;
		const slow: Fault = { kind: 'latency', ms: 300 };
		const { account, ask, whenPage } = buyerOf(operation, { faults: [slow] });
		const hasAsked = whenPage(1);
		const one = ask(10, { ...production, ...(isStopped && { cancelWhen: hasAsked }) });
		await hasAsked;
		expect((await ask(10, how)).urls).toEqual(first(10));
		await one;
		expect(account.chargedLeads).toHaveLength(10);
	});

	test('a cancel ends a wait, its own alone', async () => {
		const { ask, spent } = buyerOf('search', { leads: 300 });
		const events = new EventEmitter();
		const [asked, held] = [once(events, 'request'), once(events, 'go')];
		const beforeRequest = async () => {
			events.emit('request');
			await held;
		};
		const run = async (executionId: string, limit: number, more: RunOptions = {}) =>
			(await ask(limit, { executionId, ...more })).urls.length;
		const long = run('long', 300, { beforeRequest });
		await asked;
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

test('a list whose last page comes once more is known to end for whoever skips beyond it', async () => {
	const { search, spent, requests } = node({ leads: 50, readings: { afterLast: 'lastPage' } });
	await search({ options: { skip: 55 } });
	const { length } = requests();
	const paid = spent();
	for (const skip of [55, 200, 50]) expect((await search({ options: { skip } })).urls).toEqual([]);
	expect([spent(), requests().length]).toEqual([paid, length]);
});
