/** Promise 4, between days: Already Looked Up leaves out what earlier executions bought. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';

import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import { deduplicationStore } from './deduplicationStore';
import {
	continues,
	icelanders,
	jsonOf,
	letMinutesPass,
	pairsOf,
	urlsOf,
	useService,
	warningsOf,
	type RunOptions,
} from './useService';

const shared = useService();
const hundred = icelanders.slice(0, 100);

/** One Look Up in a workflow that leaves out what it bought, run in production. */
function open(account?: AccountOptions) {
	const node = shared.node(account);
	const leaveOut = { alreadyLookedUp: 'leaveOut' };
	return {
		...node,
		run: async (
			urls: string[],
			run: RunOptions = {},
			options: INodeParameters = {},
			parameters: INodeParameters = {},
		) =>
			await node.lookUpAll(
				urls,
				{ mode: 'trigger', ...run },
				{ ...leaveOut, ...options },
				parameters,
			),
		/** An input item for each URL. */
		runItems: async (urls: string[], run: RunOptions = {}, options: INodeParameters = {}) =>
			await node.lookUpAll(
				[],
				{ mode: 'trigger', input: urls.map((url, item) => ({ url, item })), ...run },
				{ ...leaveOut, ...options },
				{ linkedinUrls: '={{ $json.url }}' },
			),
		recorded: () => deduplicationStore.recordedBy(node.nodeId),
		asked: () =>
			(node.requests().at(-1)?.body as { linkedinUrls: string[] } | undefined)?.linkedinUrls,
	};
}

test('a second execution with the same 100 URLs sends no request, and says why', async () => {
	const node = open();
	expect((await node.run(hundred)).items).toHaveLength(100);
	letMinutesPass(61);
	const second = await node.run(hundred);
	expect(second.items).toEqual([]);
	expect(node.requests()).toHaveLength(1);
	expect(warningsOf(second)).toEqual([
		'100 profiles were bought in earlier executions and left out. To get them again, set Already Looked Up to Look Up Again, which pays for them again.',
	]);
});

test('only what is new is looked up, and comes out paired with its own input item', async () => {
	const node = open();
	await node.run(hundred.slice(0, 3));
	const { items } = await node.runItems(hundred.slice(1, 5));
	expect(urlsOf(items)).toEqual(hundred.slice(3, 5));
	expect(pairsOf(items)).toEqual([2, 3]);
	expect(node.spent()).toBe(5);
});

test('profiles that were not found are asked for again, and nothing of them is recorded', async () => {
	const node = open();
	const unknown = 'https://www.linkedin.com/in/nobody-knows-this-profile';
	for (const found of [hundred.slice(0, 2), hundred.slice(0, 3)]) {
		await node.run([...found, unknown]);
		expect(node.asked()).toContain(unknown);
		expect(node.recorded()).toHaveLength(found.length);
	}
});

test('a renamed profile is not asked for again under either of its URLs', async () => {
	const node = open({ readings: { profiles: { renamedEvery: 1 } } });
	const { items } = await node.run(hundred.slice(0, 1));
	await node.run([...hundred.slice(0, 1), ...urlsOf(items).map(String)]);
	expect(node.requests()).toHaveLength(1);
});

test('renamed ones do not make those beside them bought', async () => {
	const node = open({ apiCredits: 50, readings: { profiles: { renamedEvery: 7 } } });
	await node.run(hundred, continues);
	node.topUp();
	const urls = urlsOf((await node.run(hundred)).items);
	const renamed = urls.filter((url) => String(url).endsWith('-renamed'));
	expect(urls.length - renamed.length).toBe(50 - 7);
	// A credit for each renamed profile, at most, is paid again.
	expect(node.spent()).toBeLessThanOrEqual(100 + renamed.length);
});

test('what Limit held back is looked up by the next execution', async () => {
	const node = open();
	const bought: number[] = [];
	for (let execution = 0; execution < 3; execution++) {
		const limited = { returnAll: false, limit: 2 };
		bought.push((await node.run(hundred.slice(0, 5), {}, {}, limited)).items.length);
	}
	expect(bought).toEqual([2, 2, 1]);
	expect(node.spent()).toBe(5);
});

test('Look Up Again pays again, and remembers nothing', async () => {
	const node = open();
	const again = { alreadyLookedUp: 'lookUpAgain' };
	await node.run(hundred, {}, again);
	await node.run(hundred, {}, again);
	expect(node.spent()).toBe(200);
	expect(node.recorded()).toEqual([]);
});

test('another service has other profiles, and another node its own record', async () => {
	const node = open();
	const one = hundred.slice(0, 1);
	await node.run(one);
	await node.run(one, { nodeId: randomUUID() });
	const { port } = new URL(shared.service.baseUrl);
	await node.run(one, { credential: { baseUrl: `http://localhost:${port}` } });
	expect(node.spent()).toBe(3);
});

test('a loop does not look up again what a run before it has returned', async () => {
	const node = open();
	const executionId = randomUUID();
	await node.run(hundred.slice(0, 2), { executionId });
	const { items } = await node.run(hundred.slice(1, 3), { executionId });
	expect(urlsOf(items)).toEqual(hundred.slice(2, 3));
	expect(node.spent()).toBe(3);
});

test('executions that check at the same time find what was bought, not each other', async () => {
	const node = open();
	await node.run(hundred.slice(0, 1));
	const both = await Promise.all([node.run(hundred.slice(0, 3)), node.run(hundred.slice(0, 3))]);
	for (const { items } of both) expect(urlsOf(items)).toEqual(hundred.slice(1, 3));
});

test('many that were not found among many recorded ones leave the record as it was', async () => {
	const bought = urlsMatching({}).slice(0, 5_000);
	const node = open();
	await node.run(bought);
	const before = new Set(node.recorded());
	expect(before.size).toBe(5_000);
	const unknown = bought.map((url, index) => `${url}-no-${index}`);
	// With all that is recorded among them, the record is written anew; else what is new is removed.
	for (const known of [bought, bought.slice(1)]) {
		await node.run([...known, ...unknown]);
		expect(new Set(node.recorded())).toEqual(before);
	}
	expect(node.spent()).toBe(5_000);
});

describe('after a 402 at 60 of 100', () => {
	test('under Continue, the next execution asks for exactly the other 40', async () => {
		const node = open({ apiCredits: 60 });
		expect((await node.run(hundred, continues)).items).toHaveLength(61);
		node.topUp();
		const { items } = await node.run(hundred);
		expect(urlsOf(items).sort()).toEqual(hundred.slice(60).sort());
		expect(new Set(node.asked())).toEqual(new Set(hundred.slice(60)));
		expect(node.spent()).toBe(100);
	});

	test.each(['the next execution', "n8n's Retry"])(
		'under Stop Workflow, %s asks for the other 40 and delivers all 100',
		async (next) => {
			const node = open({ apiCredits: 60 });
			const failed = await node.run(hundred);
			expect(failed.error?.httpCode).toBe('402');
			expect(node.recorded()).toEqual([]);
			node.topUp();
			const isRetry = next === "n8n's Retry";
			const { items } = await node.run(hundred, isRetry ? { mode: 'retry', retryOf: failed } : {});
			expect(new Set(urlsOf(items))).toEqual(new Set(hundred));
			expect(new Set(node.asked())).toEqual(new Set(hundred.slice(60)));
			expect(node.recorded()).toHaveLength(100);
		},
	);
});

describe('Retry On Fail', () => {
	test('a second try delivers what the first has paid for', async () => {
		const node = open();
		node.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const options = { pageSize: 50, maxRetries: 0 };
		const { items } = await node.run(hundred, { maxTries: 2 }, options);
		expect(new Set(urlsOf(items))).toEqual(new Set(hundred));
		expect(node.spent()).toBe(100);
	});

	test('what a try returns that n8n drops, since its first item is an error, comes out of the next', async () => {
		const node = open();
		node.addFault({ kind: 'status', status: 400, nthRequest: 1 });
		const run = { maxTries: 2, ...continues };
		const options = { includePhones: '={{ $json.item === 1 }}' };
		const { items } = await node.runItems(hundred.slice(0, 2), run, options);
		expect(urlsOf(items)).toEqual(hundred.slice(0, 2));
		expect(node.spent()).toBe(2);
	});

	test('a try that n8n drops, since an input item has no URL, loses nothing', async () => {
		const node = open();
		const run = { maxTries: 2, ...continues };
		const urls = ['', ...hundred.slice(0, 10)];
		const first = await node.runItems(urls, run);
		expect(urlsOf(first.items.slice(1))).toEqual(hundred.slice(0, 10));
		// The last try was delivered, so that is remembered.
		expect((await node.runItems(urls, run)).items).toHaveLength(1);
		expect(node.spent()).toBe(10);
	});
});

test('a cancel while n8n records what was bought loses nothing', async () => {
	const node = open();
	await node.run(hundred.slice(0, 1));
	const recording = new EventEmitter();
	const record = deduplicationStore.checkProcessedAndRecord.bind(deduplicationStore);
	jest
		.spyOn(deduplicationStore, 'checkProcessedAndRecord')
		.mockImplementationOnce(record)
		.mockImplementationOnce(async (...args) => {
			recording.emit('begin');
			await new Promise(setImmediate);
			return await record(...args);
		});
	await node.run(hundred.slice(0, 10), { cancelWhen: once(recording, 'begin') });
	expect(node.spent()).toBe(10);
	const { items } = await node.run(hundred.slice(0, 10));
	expect(urlsOf(items)).toEqual(hundred.slice(1, 10));
	expect(node.spent()).toBe(10);
});

describe("where n8n's record can't be used", () => {
	const fail = (method: 'getProcessedDataCount' | 'checkProcessedAndRecord') =>
		jest.spyOn(deduplicationStore, method).mockRejectedValue(new Error('the <disk> is full'));

	test('nothing is sent, and the message says what to do', async () => {
		const node = open();
		fail('getProcessedDataCount');
		const { error } = await node.run(hundred);
		expect(error?.message).toBe(
			"'Already Looked Up' is set to Leave Out, but n8n can't read what was bought before",
		);
		expect(error?.description).toBe(
			'n8n says: the &lt;disk&gt; is full. Save the workflow and run it again, or set Already Looked Up to Look Up Again. Nothing was sent or charged.',
		);
		expect(node.requests()).toEqual([]);
		const { items } = await node.runItems(hundred.slice(0, 2), continues);
		expect(jsonOf(items).map((json) => json.error)).toEqual([error?.message, error?.message]);
	});

	test('what was paid for comes out all the same, and a hint says that it is not remembered', async () => {
		const node = open();
		fail('checkProcessedAndRecord');
		const result = await node.run(hundred.slice(0, 2));
		expect(urlsOf(result.items)).toEqual(hundred.slice(0, 2));
		expect(warningsOf(result)).toEqual([
			'2 profiles could not be recorded as bought, so the next execution looks them up again. n8n says: the &lt;disk&gt; is full.',
		]);
	});
});

test('by hand, a second Execute Step shows what is still in memory; later it says why it shows nothing', async () => {
	const node = open();
	const byHand = { mode: 'manual' } as const;
	await node.run(hundred, byHand);
	const second = await node.run(hundred, byHand);
	expect(second.items).toHaveLength(100);
	expect(warningsOf(second)).toEqual([]);
	letMinutesPass(61);
	const later = await node.run(hundred, byHand);
	expect(later.items).toEqual([]);
	expect(warningsOf(later)).toHaveLength(1);
	expect(node.spent()).toBe(100);
});
