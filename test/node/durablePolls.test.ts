/** Polls with n8n's durable cursors on: the node's own data are all that n8n keeps of a poll without leads. */
import type { INodeParameters } from 'n8n-workflow';

import { urlsMatching, type AccountOptions } from '../../sandbox/service';
import { PolledWorkflow } from './pollCore';
import { jsonOf, useService } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const people = urlsMatching({ person_location_country: ['Iceland'] });

async function open(
	options: INodeParameters = {},
	accountOptions?: AccountOptions,
	isDurable = true,
) {
	const account = shared.service.admin.createAccount(accountOptions);
	const workflow = await PolledWorkflow.create(
		{ filters: { personLocationCountry: 'Iceland' }, leadsPerPoll: 20, options },
		{ baseUrl: shared.service.baseUrl, apiKey: account.apiKey },
	);
	if (isDurable) workflow.keepDurably();
	const poll = async () => jsonOf(await workflow.poll()).map(({ linkedin_url }) => linkedin_url);
	return { account, workflow, poll };
}

test('each poll goes on after the one before, under a new name and after a restart too', async () => {
	const { account, workflow, poll } = await open();
	expect(await poll()).toEqual(people.slice(0, 20));
	expect(await poll()).toEqual(people.slice(20, 40));
	workflow.rename('Leads of the day');
	expect(await poll()).toEqual(people.slice(40, 60));
	workflow.restart();
	expect(await poll()).toEqual(people.slice(60, 80));
	expect(account.spent.apiCredits).toBe(80);
});

test.each([true, false])(
	'a service that sends the same page for ever is paid for twice at most (durable cursors: %s)',
	async (isDurable) => {
		const { workflow, account, poll } = await open({}, { ignoresPage: 'echo' }, isDurable);
		expect(await poll()).toHaveLength(20);
		await expect(workflow.poll()).rejects.toThrow(
			'The lead service sent the leads of the poll before again, for 20 credits',
		);
		expect(await poll()).toEqual([]);
		expect(account.spent.apiCredits).toBe(40);
	},
);

test('what polls may have lost counts towards the ceilings', async () => {
	const { workflow, account, poll } = await open({ maxCreditsInTotal: 40, maxRetries: 0 });
	shared.service.admin.addFault({
		account: account.id,
		kind: 'loseAfterAnswer',
		times: 'always',
	});
	await expect(workflow.poll()).rejects.toThrow('may have been charged');
	await expect(workflow.poll()).rejects.toThrow('may have been charged');
	expect(await poll()).toEqual([]);
	expect(account.spent.apiCredits).toBe(40);
});

describe('When n8n could not start an execution with the leads of a poll', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	/** A workflow that has lost the leads of the poll after so many. */
	async function openWithLoss(polls: number) {
		const opened = await open();
		for (let nth = 0; nth < polls; nth++) await opened.poll();
		opened.workflow.startsNone = true;
		expect(await opened.poll()).toEqual([]);
		opened.workflow.startsNone = false;
		return opened;
	}

	test.each([0, 1, 2])('they come again after a restart (%i polls before)', async (polls) => {
		const { workflow, poll } = await openWithLoss(polls);
		workflow.restart();
		expect(await poll()).toEqual(people.slice(polls * 20, (polls + 1) * 20));
		expect(await poll()).toEqual(people.slice((polls + 1) * 20, (polls + 2) * 20));
	});

	test('they come again with a poll a minute later', async () => {
		const { poll } = await openWithLoss(1);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
		expect(await poll()).toEqual(people.slice(20, 40));
	});
});

test('a poll that begins before n8n has saved the one before pays for nothing', async () => {
	const { account, workflow, poll } = await open();
	await poll();
	const before = workflow.copies();
	expect(await poll()).toEqual(people.slice(20, 40));
	const after = workflow.copies();
	workflow.setCopies(before);
	expect(await poll()).toEqual([]);
	expect(workflow.infos.at(-1)).toContain('the leads of the poll before are still being saved');
	workflow.setCopies(after);
	expect(await poll()).toEqual(people.slice(40, 60));
	expect(account.spent.apiCredits).toBe(60);
});

test('a poll without leads is not taken back by the copy in the data of the workflow', async () => {
	const { account, poll } = await open({}, { leads: 40 });
	for (let polls = 0; polls < 5; polls++) await poll();
	expect(account.spent.apiCredits).toBe(40);
});
