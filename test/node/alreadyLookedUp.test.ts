/** Promise 4, between days: Already Looked Up leaves out what earlier executions bought. */
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { INodeParameters } from 'n8n-workflow';

import { deduplicationStore } from './deduplicationStore';
import { continues, first, letMinutesPass, matching, production, useService } from './useService';
import type { RunOptions, Setup } from './useService';

const shared = useService();
const hundred = first(100);

function open(setup?: Setup) {
	const node = shared.node(setup);
	const leaveOut = { alreadyLookedUp: 'leaveOut' };
	const run = async (
		urls: string[],
		more: RunOptions = {},
		options: INodeParameters = {},
		parameters: INodeParameters = {},
	) =>
		await node.lookUpAll(urls, { ...production, ...more }, { ...leaveOut, ...options }, parameters);
	return {
		...node,
		run,
		runItems: async (urls: string[], more: RunOptions = {}, options: INodeParameters = {}) =>
			await node.lookUpEach(urls, { ...production, ...more }, { ...leaveOut, ...options }),
		recorded: () => deduplicationStore.recordedBy(node.nodeId),
		asked: () =>
			(node.requests().at(-1)?.body as { linkedinUrls: string[] } | undefined)?.linkedinUrls,
	};
}

test('a second execution with the same 100 URLs sends no request, and says why', async () => {
	const { run } = open();
	expect((await run(hundred)).urls).toHaveLength(100);
	letMinutesPass(61);
	expect(await run(hundred)).toMatchObject({
		json: [],
		pages: [1],
		warnings: [
			"100 profiles were bought before and left out. To get them again, set 'Already Looked Up' to Look Up Again, which pays for them again.",
			matching(/^This run returns no items, and n8n ends a loop at such a run\./),
		],
	});
});

test('only what is new is looked up, and comes out paired with its own input item', async () => {
	const { run, runItems } = open();
	await run(first(3));
	expect(await runItems(hundred.slice(1, 5))).toMatchObject({
		urls: hundred.slice(3, 5),
		pairs: [2, 3],
		spent: 5,
	});
});

test('profiles that were not found are asked for again, and nothing of them is recorded', async () => {
	const { run, asked, recorded } = open();
	const unknown = 'https://www.linkedin.com/in/nobody-knows-this-profile';
	for (const found of [first(2), first(3)]) {
		await run([...found, unknown]);
		expect(asked()).toContain(unknown);
		expect(recorded()).toHaveLength(found.length);
	}
});

test('a renamed profile is not asked for again under either of its URLs', async () => {
	const { run } = open({ readings: { profiles: { renamedEvery: 1 } } });
	const { urls } = await run(first(1));
	expect((await run([...first(1), ...urls.map(String)])).pages).toEqual([1]);
});

test('Look Up Again pays again, and remembers nothing', async () => {
	const { run, recorded } = open();
	const again = { alreadyLookedUp: 'lookUpAgain' };
	await run(hundred, {}, again);
	expect((await run(hundred, {}, again)).spent).toBe(200);
	expect(recorded()).toEqual([]);
});

test('another service has other profiles, and another node its own record', async () => {
	const { run } = open();
	await run(first(1));
	await run(first(1), { nodeId: randomUUID() });
	const baseUrl = shared.service.baseUrl.replace('127.0.0.1', 'localhost');
	expect((await run(first(1), { credential: { baseUrl } })).spent).toBe(3);
});

test('a loop does not look up again what a run before it has returned', async () => {
	const { run } = open();
	const executionId = randomUUID();
	await run(first(2), { executionId });
	const second = await run(hundred.slice(1, 3), { executionId });
	expect(second).toMatchObject({ urls: hundred.slice(2, 3), spent: 3 });
});

test('executions that check at the same time find what was bought, not each other', async () => {
	const { run } = open();
	await run(first(1));
	for (const { urls } of await Promise.all([run(first(3)), run(first(3))]))
		expect(urls).toEqual(hundred.slice(1, 3));
});

test.each([
	['Stop Workflow, the next execution', {}, 100],
	["Stop Workflow, n8n's Retry", {}, 100],
	['Continue, the next execution', continues, 40],
])('after a 402 at 60 of 100, under %s asks for the other 40', async (how, onError, delivered) => {
	const { run, recorded, topUp, asked } = open({ apiCredits: 60 });
	const before = await run(hundred, onError);
	expect(before.error?.httpCode).toBe(delivered === 100 ? '402' : undefined);
	expect(recorded()).toHaveLength(100 - delivered);
	topUp();
	const retry = { mode: 'retry', retryOf: before } as const;
	const { urls, spent } = await run(hundred, how.endsWith('Retry') ? retry : {});
	expect(new Set(urls)).toEqual(new Set(hundred.slice(100 - delivered)));
	expect(new Set(asked())).toEqual(new Set(hundred.slice(60)));
	expect([urls.length, spent]).toEqual([delivered, 100]);
	expect(recorded()).toHaveLength(100);
});

test('a try that n8n drops under Retry On Fail, since an input item has no URL, loses nothing', async () => {
	const { runItems } = open();
	const run = { maxTries: 2, ...continues };
	expect((await runItems(['', ...first(10)], run)).urls).toEqual(first(10));
	// The last try was delivered, so that is remembered.
	expect(await runItems(['', ...first(10)], run)).toMatchObject({ pairs: [0], spent: 10 });
});

describe('a cancel while n8n records what was bought', () => {
	async function secondRecording(): Promise<void> {
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
		await once(recording, 'begin');
	}

	test('loses nothing', async () => {
		const { run, spent } = open();
		await run(first(1));
		await run(first(10), { cancelWhen: secondRecording() });
		expect(spent()).toBe(10);
		expect(await run(first(10))).toMatchObject({ urls: hundred.slice(1, 10), spent: 10 });
	});

	test('forgets nothing that another execution has delivered meanwhile', async () => {
		const { run, whenPage } = open({ faults: [{ kind: 'latency', ms: 300 }] });
		const cancelled = run(first(1), { cancelWhen: secondRecording() });
		await whenPage(1);
		expect((await run(first(1))).urls).toEqual(first(1));
		await cancelled;
		letMinutesPass(61);
		expect(await run(first(1))).toMatchObject({ urls: [], spent: 2 });
	});
});

describe("where n8n's record can't be used", () => {
	const fail = (method: 'getProcessedDataCount' | 'checkProcessedAndRecord') =>
		jest.spyOn(deduplicationStore, method).mockRejectedValue(new Error('the <disk> is full'));

	test('nothing is sent, and the message says what to do', async () => {
		const { run, runItems } = open();
		fail('getProcessedDataCount');
		const error =
			"'Already Looked Up' is set to Leave Out, but n8n can't read what was bought before";
		expect(await run(hundred)).toMatchObject({
			message: error,
			description:
				"n8n says: the &lt;disk&gt; is full. Save the workflow and run it again, or set 'Already Looked Up' to Look Up Again. Nothing was sent or charged.",
			pages: [],
		});
		expect((await runItems(first(2), continues)).json).toMatchObject([{ error }, { error }]);
	});

	test('what was paid for comes out all the same, and a hint says that it is not remembered', async () => {
		fail('checkProcessedAndRecord');
		expect(await open().run(first(2))).toMatchObject({
			urls: first(2),
			warnings: [
				'2 profiles could not be recorded as bought, so the next execution looks them up again. n8n says: the &lt;disk&gt; is full.',
			],
		});
	});
});

test('by hand, a second Execute Step shows what is still in memory; later it says why it shows nothing', async () => {
	const { run } = open();
	const byHand = { mode: 'manual' } as const;
	await run(hundred, byHand);
	expect(await run(hundred, byHand)).toMatchObject({ urls: hundred, warnings: [] });
	letMinutesPass(61);
	const { json, warnings, spent } = await run(hundred, byHand);
	expect([json.length, warnings.length, spent]).toEqual([0, 2, 100]);
});
