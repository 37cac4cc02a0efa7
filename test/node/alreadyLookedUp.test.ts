/** Promise 4, between days: Already Looked Up leaves out what earlier executions bought. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';

import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import { deduplicationStore } from './deduplicationStore';
import { jsonOf, pairsOf, urlsOf, useService, warningsOf, type RunOptions } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const iceland = urlsMatching({ person_location_country: ['Iceland'] }).slice(0, 100);
const later = 61 * 60_000;
let clock = Date.now();

beforeEach(() => {
	clock = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => clock);
});

afterEach(() => {
	jest.restoreAllMocks();
});

/** One Look Up in a workflow, run in production unless said otherwise. */
function open(account?: AccountOptions) {
	const buyer = shared.customer(account);
	const nodeId = randomUUID();
	return {
		...buyer,
		nodeId,
		run: async (
			urls: string[],
			run: RunOptions = {},
			options: INodeParameters = {},
			parameters: INodeParameters = {},
		) =>
			await buyer.lookUp(
				{
					linkedinUrls: urls.join('\n'),
					options: { onlyWithEmails: false, alreadyLookedUp: 'leaveOut', ...options },
					...parameters,
				},
				{ nodeId, mode: 'trigger', ...run },
			),
		/** An input item for each URL; the second one has the switches turned on that are named. */
		runItems: async (urls: string[], run: RunOptions = {}, switches: string[] = []) =>
			await buyer.lookUp(
				{
					linkedinUrls: '={{ $json.url }}',
					options: {
						onlyWithEmails: false,
						alreadyLookedUp: 'leaveOut',
						...Object.fromEntries(
							switches.map((name) => [name, '={{ $json.isSwitched }}']),
						),
					},
				},
				{
					nodeId,
					mode: 'trigger',
					input: urls.map((url, index) => ({ url, isSwitched: index === 1 })),
					...run,
				},
			),
		topUp: () => shared.service.admin.setCredits(buyer.account.id, { apiCredits: 10_000 }),
		spent: () => buyer.account.spent.apiCredits,
		requested: () => buyer.requests().map(({ body }) => (body as Body).linkedinUrls),
	};
}

interface Body {
	linkedinUrls: string[];
}

test('a second execution with the same 100 URLs sends no request, and says why', async () => {
	const node = open();
	expect((await node.run(iceland)).items).toHaveLength(100);
	clock += later;
	const second = await node.run(iceland);
	expect(second.items).toEqual([]);
	expect(node.requests()).toHaveLength(1);
	expect(node.spent()).toBe(100);
	expect(warningsOf(second.hints)).toEqual([
		'100 profiles were bought in earlier executions and left out. To get them again, set Already Looked Up to Look Up Again, which pays for them again.',
	]);
});

test('only what is new is looked up, and comes out paired with its own input item', async () => {
	const node = open();
	await node.run(iceland.slice(0, 3));
	const result = await node.runItems(iceland.slice(1, 5));
	expect(urlsOf(result.items)).toEqual(iceland.slice(3, 5));
	expect(pairsOf(result.items)).toEqual([2, 3]);
	expect(node.spent()).toBe(5);
});

test('profiles that were not found are asked for again, and nothing of them is recorded', async () => {
	const node = open();
	const unknown = 'https://www.linkedin.com/in/nobody-knows-this-profile';
	for (const found of [iceland.slice(0, 2), iceland.slice(0, 3)]) {
		await node.run([...found, unknown], {}, { unmatched: 'returnAsNotFound' });
		expect(node.requested().at(-1)).toContain(unknown);
		expect(deduplicationStore.recordedBy(node.nodeId)).toHaveLength(found.length);
	}
});

test('a renamed profile is not asked for again under either of its URLs', async () => {
	const node = open({ renamesEvery: 1 });
	const first = await node.run(iceland.slice(0, 1));
	expect(first.items).toHaveLength(1);
	await node.run([...iceland.slice(0, 1), ...urlsOf(first.items).map(String)]);
	expect(node.requests()).toHaveLength(1);
});

test('what Limit held back is looked up by the next execution', async () => {
	const node = open();
	const limited = { returnAll: false, limit: 2 };
	expect((await node.run(iceland.slice(0, 5), {}, {}, limited)).items).toHaveLength(2);
	expect((await node.run(iceland.slice(0, 5), {}, {}, limited)).items).toHaveLength(2);
	expect((await node.run(iceland.slice(0, 5), {}, {}, limited)).items).toHaveLength(1);
	expect(node.spent()).toBe(5);
});

test('Look Up Again pays again, and remembers nothing', async () => {
	const node = open();
	for (let execution = 0; execution < 2; execution++) {
		await node.run(iceland, {}, { alreadyLookedUp: 'lookUpAgain' });
	}
	expect(node.spent()).toBe(200);
	expect(deduplicationStore.recordedBy(node.nodeId)).toEqual([]);
});

test('another service has other profiles, and another node its own record', async () => {
	const node = open();
	await node.run(iceland.slice(0, 1));
	await node.run(iceland.slice(0, 1), { nodeId: randomUUID() });
	const { port } = new URL(shared.service.baseUrl);
	await node.run(iceland.slice(0, 1), { credential: { baseUrl: `http://localhost:${port}` } });
	expect(node.spent()).toBe(3);
});

test('a loop does not look up again what a run before it has returned', async () => {
	const node = open();
	const executionId = randomUUID();
	const first = await node.run(iceland.slice(0, 2), { executionId });
	const second = await node.run(iceland.slice(1, 3), { executionId, runBefore: first });
	expect(urlsOf(second.items)).toEqual(iceland.slice(2, 3));
	expect(node.spent()).toBe(3);
});

test('executions of one node that check at the same time find what was bought, not each other', async () => {
	const node = open();
	await node.run(iceland.slice(0, 1));
	const [one, other] = await Promise.all([
		node.run(iceland.slice(0, 3)),
		node.run(iceland.slice(0, 3)),
	]);
	for (const { items } of [one, other]) expect(urlsOf(items)).toEqual(iceland.slice(1, 3));
});

test('many that were not found among many recorded ones leave the record as it was', async () => {
	const recorded = urlsMatching({}).slice(0, 5_000);
	const node = open();
	await node.run(recorded);
	const before = new Set(deduplicationStore.recordedBy(node.nodeId));
	expect(before.size).toBe(5_000);
	const unknown = Array.from(
		{ length: 5_000 },
		(_, index) => `${String(recorded[0])}-no-${index}`,
	);
	await node.run([...recorded, ...unknown]);
	expect(new Set(deduplicationStore.recordedBy(node.nodeId))).toEqual(before);
	await node.run([...recorded.slice(1), ...unknown]);
	expect(new Set(deduplicationStore.recordedBy(node.nodeId))).toEqual(before);
	expect(node.spent()).toBe(5_000);
});

describe('after a 402 at 60 of 100', () => {
	test('under Continue, the next execution asks for exactly the other 40', async () => {
		const node = open({ apiCredits: 60 });
		const first = await node.run(iceland, { onError: 'continueRegularOutput' });
		expect(first.items.filter(({ json }) => json.error === undefined)).toHaveLength(60);
		node.topUp();
		const second = await node.run(iceland);
		expect(urlsOf(second.items).sort()).toEqual(iceland.slice(60).sort());
		expect(new Set(node.requested().at(-1))).toEqual(new Set(iceland.slice(60)));
		expect(node.spent()).toBe(100);
	});

	test('under Stop Workflow, the next execution asks for the other 40 and delivers all 100', async () => {
		const node = open({ apiCredits: 60 });
		expect((await node.run(iceland)).error?.httpCode).toBe('402');
		expect(deduplicationStore.recordedBy(node.nodeId)).toEqual([]);
		node.topUp();
		const second = await node.run(iceland);
		expect(new Set(urlsOf(second.items))).toEqual(new Set(iceland));
		expect(new Set(node.requested().at(-1))).toEqual(new Set(iceland.slice(60)));
		expect(node.spent()).toBe(100);
		clock += later;
		expect((await node.run(iceland)).items).toEqual([]);
	});

	test("n8n's Retry delivers what was paid for", async () => {
		const node = open({ apiCredits: 60 });
		const failed = await node.run(iceland);
		node.topUp();
		const retried = await node.run(iceland, { mode: 'retry', retryOf: failed });
		expect(new Set(urlsOf(retried.items))).toEqual(new Set(iceland));
		expect(node.spent()).toBe(100);
	});
});

describe('Retry On Fail', () => {
	test('a second try delivers what the first has paid for', async () => {
		const node = open();
		node.addFault({ kind: 'status', status: 500, nthRequest: 2 });
		const result = await node.run(iceland, { maxTries: 2 }, { pageSize: 50, maxRetries: 0 });
		expect(new Set(urlsOf(result.items))).toEqual(new Set(iceland));
		expect(node.spent()).toBe(100);
	});

	test('what a try returns that n8n drops, since its first item is an error, comes out of the next', async () => {
		const node = open();
		node.addFault({ kind: 'status', status: 400, nthRequest: 1 });
		const result = await node.runItems(
			iceland.slice(0, 2),
			{ maxTries: 2, onError: 'continueRegularOutput' },
			['includePhones'],
		);
		expect(urlsOf(result.items)).toEqual(iceland.slice(0, 2));
		expect(node.spent()).toBe(2);
	});
});

test('a try that n8n drops, since an input item before has no URL, loses nothing', async () => {
	const node = open();
	const run = { maxTries: 2, onError: 'continueRegularOutput' } as const;
	const urls = ['', ...iceland.slice(0, 10)];
	expect(urlsOf((await node.runItems(urls, run)).items.slice(1))).toEqual(iceland.slice(0, 10));
	// The last try was delivered, so that is remembered.
	expect((await node.runItems(urls, run)).items).toHaveLength(1);
	expect(node.spent()).toBe(10);
});

test('one renamed profile does not make those beside it bought', async () => {
	const node = open({ apiCredits: 50, renamesEvery: 7 });
	await node.run(iceland, { onError: 'continueRegularOutput' });
	node.topUp();
	const { items } = await node.run(iceland);
	expect(items.length).toBeGreaterThanOrEqual(50);
	const renamed = new Set(urlsOf(items).filter((url) => String(url).endsWith('-renamed')));
	// A credit for each renamed profile, at most, is paid again.
	expect(node.spent()).toBeLessThanOrEqual(100 + renamed.size);
	expect((await node.run(iceland)).error).toBeUndefined();
});

test('a cancel while n8n records what was bought loses nothing', async () => {
	const node = open();
	await node.run(iceland.slice(0, 1));
	const recording = new EventEmitter();
	const record = deduplicationStore.checkProcessedAndRecord.bind(deduplicationStore);
	jest.spyOn(deduplicationStore, 'checkProcessedAndRecord')
		.mockImplementationOnce(record)
		.mockImplementationOnce(async (...args) => {
			recording.emit('begin');
			await new Promise(setImmediate);
			return await record(...args);
		});
	await node.run(iceland.slice(0, 10), { cancelWhen: once(recording, 'begin') });
	expect(node.spent()).toBe(10);
	const { items } = await node.run(iceland.slice(0, 10));
	expect(urlsOf(items)).toEqual(iceland.slice(1, 10));
	expect(node.spent()).toBe(10);
});

describe('a store that fails in the middle', () => {
	test('leaves nothing recorded that was not bought', async () => {
		const node = open();
		await node.run(iceland.slice(0, 1));
		jest.spyOn(deduplicationStore, 'removeProcessed').mockRejectedValueOnce(new Error('gone'));
		expect((await node.run(iceland)).error?.message).toContain('Already Looked Up');
		expect(urlsOf((await node.run(iceland)).items)).toEqual(iceland.slice(1));
		expect(node.spent()).toBe(100);
	});

	test('forgets nothing that was bought', async () => {
		const node = open();
		const bought = urlsMatching({}).slice(0, 5_000);
		await node.run(bought);
		const unknown = Array.from(
			{ length: 5_000 },
			(_, index) => `${String(bought[0])}-no-${index}`,
		);
		const check = deduplicationStore.checkProcessedAndRecord.bind(deduplicationStore);
		jest.spyOn(deduplicationStore, 'checkProcessedAndRecord')
			.mockImplementationOnce(check)
			.mockRejectedValueOnce(new Error('gone'));
		expect((await node.run([...bought, ...unknown])).error?.message).toContain('Already');
		expect((await node.run([...bought, ...unknown])).items).toEqual([]);
		expect(node.spent()).toBe(5_000);
	});
});

describe("where n8n's record can't be used", () => {
	test('nothing is sent, and the message says what to do', async () => {
		const node = open();
		jest.spyOn(deduplicationStore, 'getProcessedDataCount').mockRejectedValue(
			new Error('the <disk> is full'),
		);
		const { error } = await node.run(iceland);
		expect(error?.message).toBe(
			"'Already Looked Up' is set to Leave Out, but n8n can't read what was bought before",
		);
		expect(error?.description).toBe(
			'n8n says: the &lt;disk&gt; is full. Save the workflow and run it again, or set Already Looked Up to Look Up Again. Nothing was sent or charged.',
		);
		expect(node.requests()).toEqual([]);
	});

	test('under Continue every input item says so', async () => {
		const node = open();
		jest.spyOn(deduplicationStore, 'getProcessedDataCount').mockRejectedValue(
			new Error('gone'),
		);
		const { items } = await node.runItems(iceland.slice(0, 2), {
			onError: 'continueRegularOutput',
		});
		expect(pairsOf(items)).toEqual([0, 1]);
		for (const { message } of jsonOf(items)) expect(message).toContain('Already Looked Up');
	});

	test('what was paid for comes out all the same, and a hint says that it is not remembered', async () => {
		const node = open();
		jest.spyOn(deduplicationStore, 'checkProcessedAndRecord').mockRejectedValue(
			new Error('the <disk> is full'),
		);
		const { items, hints } = await node.run(iceland.slice(0, 2));
		expect(urlsOf(items)).toEqual(iceland.slice(0, 2));
		expect(warningsOf(hints)).toEqual([
			'2 profiles could not be recorded as bought, so the next execution looks them up again. n8n says: the &lt;disk&gt; is full.',
		]);
	});
});

describe('by hand', () => {
	test('a second Execute Step shows what is still in memory, and costs nothing', async () => {
		const node = open();
		await node.run(iceland, { mode: 'manual' });
		const second = await node.run(iceland, { mode: 'manual' });
		expect(second.items).toHaveLength(100);
		expect(warningsOf(second.hints)).toEqual([]);
		expect(node.spent()).toBe(100);
	});

	test('later it shows nothing, and says why', async () => {
		const node = open();
		await node.run(iceland, { mode: 'manual' });
		clock += later;
		const second = await node.run(iceland, { mode: 'manual' });
		expect(second.items).toEqual([]);
		expect(warningsOf(second.hints)).toHaveLength(1);
		expect(node.spent()).toBe(100);
	});
});
