import { sleep, type INodeParameters } from 'n8n-workflow';

import { leadAt, matching, urlsMatching, type AccountOptions } from '../../sandbox/service';
import { PolledWorkflow } from './pollCore';
import { jsonOf, useService } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(() => Promise.resolve()),
}));

const shared = useService();
const iceland = { personLocationCountry: 'Iceland' };
const people = urlsMatching({ person_location_country: ['Iceland'] });
/** The time that n8n gives a poll. */
const POLL_BUDGET_MS = 300_000;

afterEach(() => {
	jest.useRealTimers();
	jest.restoreAllMocks();
});

async function open(parameters: INodeParameters = {}, options?: AccountOptions) {
	const account = shared.service.admin.createAccount(options);
	const workflow = await PolledWorkflow.create(
		{ filters: iceland, leadsPerPoll: 20, ...parameters },
		{ baseUrl: shared.service.baseUrl, apiKey: account.apiKey },
	);
	const poll = async (mode?: 'manual') =>
		jsonOf(await workflow.poll(mode)).map(({ linkedin_url }) => linkedin_url);
	const requests = () => shared.service.admin.requests({ account: account.id });
	return { account, workflow, poll, requests };
}

test('the first poll delivers the first leads, following polls the next ones', async () => {
	const { account, poll } = await open();
	expect(await poll()).toEqual(people.slice(0, 20));
	expect(await poll()).toEqual(people.slice(20, 40));
	expect(await poll()).toEqual(people.slice(40, 60));
	expect(account.spent.apiCredits).toBe(60);
});

test('more Leads per Poll at a service of smaller pages cost a credit for each lead', async () => {
	const { account, workflow, poll } = await open({ leadsPerPoll: 6 }, { clampPerPage: 10 });
	expect(await poll()).toEqual(people.slice(0, 6));
	expect(await poll()).toEqual(people.slice(6, 12));
	workflow.restart({ filters: iceland, leadsPerPoll: 20 });
	expect(await poll()).toEqual(people.slice(12, 32));
	expect(account.spent.apiCredits).toBe(32);
});

test('a page size that was seen counts for more than the documented one', async () => {
	const { account, workflow, poll } = await open(
		{ leadsPerPoll: 9 },
		{ clampPerPage: 4, omits: ['has_more', 'next_page'] },
	);
	const noSuchPage = shared.service.admin.addFault({
		account: account.id,
		kind: 'status',
		status: 404,
		page: 2_000_000_001,
		times: 'always',
	});
	expect(await poll()).toEqual(people.slice(0, 9));
	noSuchPage.remove();
	workflow.restart({ filters: iceland, leadsPerPoll: 25 });
	expect(await poll()).toEqual(people.slice(9, 34));
	expect(account.spent.apiCredits).toBe(34);
});

test('leads have at most 10 fields with Simplify, and all without', async () => {
	const simple = await open({ leadsPerPoll: 1 });
	expect(Object.keys((await simple.workflow.poll())[0]?.json ?? {})).toHaveLength(10);
	const whole = await open({ leadsPerPoll: 1, simplify: false });
	expect((await whole.workflow.poll())[0]?.json).toHaveProperty('raw');
});

test('other filters start anew; other page sizes and numbers do not', async () => {
	const { workflow, poll } = await open();
	await poll();
	workflow.restart({ filters: iceland, leadsPerPoll: 5, options: { pageSize: 3 } });
	expect(await poll()).toEqual(people.slice(20, 25));
	workflow.restart({ filters: { personLocationCountry: 'Germany' }, leadsPerPoll: 1 });
	const [german] = matching({ person_location_country: ['Germany'] });
	expect(await poll()).toEqual([leadAt(german ?? -1).linkedin_url]);
});

test('at the end, Stop is silent until the filters change', async () => {
	const { poll, requests, workflow, account } = await open({}, { leads: 30 });
	expect(await poll()).toHaveLength(20);
	expect(await poll()).toEqual(people.slice(20, 30));
	const sent = requests().length;
	expect(await poll()).toEqual([]);
	expect(await poll()).toEqual([]);
	expect(requests()).toHaveLength(sent);
	expect(account.spent.apiCredits).toBe(30);
	workflow.restart({ filters: { jobTitles: 'Founder' }, leadsPerPoll: 1 });
	expect(await poll()).toHaveLength(1);
});

test('at the end, Start Over begins again at the next poll, not twice in one', async () => {
	const { poll, account } = await open({ whenExhausted: 'startOver' }, { leads: 30 });
	expect(await poll()).toHaveLength(20);
	expect(await poll()).toEqual(people.slice(20, 30));
	expect(account.spent.apiCredits).toBe(30);
	expect(await poll()).toEqual(people.slice(0, 20));
});

test('a failed poll keeps its place and says so', async () => {
	const { poll, account } = await open({ options: { maxRetries: 0 } });
	await poll();
	shared.service.admin.addFault({ account: account.id, kind: 'status', status: 500, body: '' });
	await expect(poll()).rejects.toMatchObject({
		message: 'The lead service could not process the request (500)',
		description:
			'Run again later. If it stays like this, contact the lead service. The next poll goes on after lead 20.',
	});
	expect(await poll()).toEqual(people.slice(20, 40));
});

test('a poll cut short by credits delivers its leads, then the 402, then goes on exactly there', async () => {
	const { poll, account } = await open({ leadsPerPoll: 50 }, { apiCredits: 30 });
	expect(await poll()).toEqual(people.slice(0, 30));
	await expect(poll()).rejects.toMatchObject({
		message: 'Not enough API credits (402): no leads fetched',
	});
	shared.service.admin.setCredits(account.id, { apiCredits: 1_000 });
	expect(await poll()).toEqual(people.slice(30, 80));
	expect(account.spent.apiCredits).toBe(80);
});

test('leads that are said to be from further on are delivered once, and the log says so', async () => {
	const { poll, account, requests, workflow } = await open();
	await poll();
	shared.service.admin.addFault({
		account: account.id,
		kind: 'merge',
		merge: { page: 4, next_page: 5 },
	});
	expect(await poll()).toHaveLength(20);
	expect(workflow.warnings).toEqual([
		'Lead Search Trigger: The lead service sent an unexpected answer: it answered with rows 61 to 80 where row 21 was requested. The next poll goes on after lead 40.',
	]);
	expect(await poll()).toEqual(people.slice(40, 60));
	expect(requests().at(-1)).toMatchObject({ page: 3, perPage: 20 });
	expect(account.spent.apiCredits).toBe(60);
});

test('at 100,000, a page with a lead too many leaves a place that can be read', async () => {
	const { poll, account, workflow, requests } = await open({ filters: {}, leadsPerPoll: 20 });
	await poll();
	workflow.move(99_980);
	const rows = Array.from({ length: 21 }, (_, id) => ({ linkedin_url: `lead ${id}` }));
	shared.service.admin.addFault({
		account: account.id,
		kind: 'merge',
		merge: { preview_data: rows },
	});
	expect(await poll()).toHaveLength(20);
	const { length } = requests();
	expect(await poll()).toEqual([]);
	expect(workflow.warnings).toEqual([
		'Lead Search Trigger: the lead service sent others than the leads that were asked for. 1 credits were charged for leads that are not delivered.',
		'Lead Search Trigger: The lead service sent an unexpected answer: it sent 21 rows where 20 were requested. The next poll goes on after lead 100000.',
	]);
	expect(requests()).toHaveLength(length);
});

describe('When n8n gives a poll no more time', () => {
	test('an answer that did not come is told as such', async () => {
		const { poll, account } = await open();
		const outOfTime = new AbortController();
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) =>
			milliseconds === 0.9 * POLL_BUDGET_MS ? outOfTime.signal : timeout(milliseconds),
		);
		shared.service.admin.addFault({ account: account.id, kind: 'hang' });
		void shared.service.admin
			.whenRequest((request) => request.account === account.id)
			.then(() => {
				outOfTime.abort();
			});
		await expect(poll()).rejects.toMatchObject({
			message:
				'The lead service did not answer within the time that n8n gives a poll; it may have been charged',
			description:
				'Set fewer Leads per Poll, or a smaller Page Size under Options. The next poll goes on after lead 0. Up to 20 credits may have been charged for answers that were lost.',
		});
	});

	test('a wait that would end after half of it is not begun', async () => {
		const { poll, account, workflow, requests } = await open({ options: { pageSize: 10 } });
		workflow.budgetMs = 20_000;
		const busy = shared.service.admin.addFault({
			account: account.id,
			kind: 'status',
			status: 429,
			page: 2,
			times: 'always',
		});
		jest.mocked(sleep).mockClear();
		expect(await poll()).toEqual(people.slice(0, 10));
		expect(jest.mocked(sleep).mock.calls.map(([waitMs]) => waitMs)).toEqual([1_000]);
		expect(workflow.infos.slice(1)).toEqual([
			'Lead Search: the lead service answered 429; asking again in 1 second',
		]);
		expect(workflow.warnings).toEqual([
			'Lead Search Trigger: Too many requests for the lead service (429). The next poll goes on after lead 10.',
		]);
		expect(requests()).toHaveLength(3);
		busy.remove();
		expect(await poll()).toEqual(people.slice(10, 30));
	});

	test('what the service said before is told, if it could not be asked again', async () => {
		const { poll, account } = await open();
		shared.service.admin.addFault({ account: account.id, kind: 'status', status: 503 });
		const now = jest.spyOn(Date, 'now');
		jest.mocked(sleep).mockImplementationOnce(() => {
			now.mockReturnValue(Date.now() + 3_600_000);
			return Promise.resolve();
		});
		try {
			await expect(poll()).rejects.toMatchObject({
				message: 'The lead service behind the search is not answering (503)',
			});
		} finally {
			now.mockRestore();
		}
		expect(await poll()).toEqual(people.slice(0, 20));
	});
});

test('n8n restarted: the place is in what n8n saves', async () => {
	const { poll, workflow } = await open();
	await poll();
	workflow.restart();
	expect(await poll()).toEqual(people.slice(20, 40));
});

test('two polls at once deliver each lead once', async () => {
	const { poll, account } = await open();
	const both = await Promise.all([poll(), poll()]);
	expect(both.flat()).toEqual(people.slice(0, 20));
	expect(await poll()).toEqual(people.slice(20, 40));
	expect(account.spent.apiCredits).toBe(40);
});

test('a manual test takes at most one credit and moves nothing', async () => {
	const { poll, account, workflow } = await open({}, { leads: 25 });
	expect(await poll('manual')).toEqual(people.slice(0, 1));
	expect(workflow.saved()).toBeUndefined();
	await poll();
	const before = JSON.stringify(workflow.saved());
	expect(await poll('manual')).toEqual(people.slice(20, 21));
	expect(JSON.stringify(workflow.saved())).toBe(before);
	await poll();
	// At the end there is no next lead, so the first one serves as a sample.
	expect(await poll('manual')).toEqual(people.slice(0, 1));
	expect(account.spent.apiCredits).toBe(28);
});

test.each([
	['another version', { version: 9, fingerprint: 'x', offset: 3, exhausted: false }],
	['a negative row', { version: 2, fingerprint: 'x', offset: -3, exhausted: false }],
	['text', 'row 7'],
	['a list', [1]],
	['a number', 5],
])('a saved cursor that is damaged (%s) starts anew, and the log says so', async (_, cursor) => {
	const { poll, workflow } = await open();
	await poll();
	workflow.overwrite(cursor);
	workflow.restart();
	expect(await poll()).toEqual(people.slice(0, 20));
	expect(workflow.warnings).toEqual([
		'Lead Search Trigger: the saved cursor can not be read, so the search starts from its first lead, from lead 1',
	]);
});

describe('Ceilings', () => {
	test('120 credits a day at 50 a poll give 50, 50, 20 and none, with a line in the log', async () => {
		jest.useFakeTimers({
			now: new Date('2026-11-22T09:30:00Z'),
			doNotFake: ['nextTick', 'setImmediate', 'setTimeout'],
		});
		const { workflow, account } = await open({
			leadsPerPoll: 50,
			options: { maxCreditsPerDay: 120 },
		});
		const delivered: number[] = [];
		for (let poll = 0; poll < 4; poll++) delivered.push((await workflow.poll()).length);
		expect(delivered).toEqual([50, 50, 20, 0]);
		expect(account.spent.apiCredits).toBe(120);
		expect(workflow.infos.at(-1)).toMatch(
			/^Lead Search Trigger: The Credits per Day \(120\) are spent for \d{4}-\d\d-\d\d$/,
		);
		jest.setSystemTime(Date.now() + 86_400_000);
		expect(await workflow.poll()).toHaveLength(50);
	});

	test('70 in total give 50, 20 and none; starting over does not reset it', async () => {
		const { workflow, account } = await open(
			{ leadsPerPoll: 50, whenExhausted: 'startOver', options: { maxCreditsInTotal: 70 } },
			{ leads: 40 },
		);
		const delivered: number[] = [];
		for (let poll = 0; poll < 4; poll++) delivered.push((await workflow.poll()).length);
		expect(delivered).toEqual([40, 30, 0, 0]);
		expect(account.spent.apiCredits).toBe(70);
		expect(workflow.infos.at(-1)).toBe(
			'Lead Search Trigger: The Credits in Total (70) are spent',
		);
	});

	test('renaming the node resets neither of them, nor the place', async () => {
		const { workflow, poll } = await open({
			leadsPerPoll: 50,
			options: { maxCreditsInTotal: 70 },
		});
		await poll();
		workflow.rename('Leads of the day');
		expect(await poll()).toEqual(people.slice(50, 70));
		expect(await poll()).toEqual([]);
	});

	test('a test by hand does not get past them', async () => {
		const { workflow, poll } = await open({ options: { maxCreditsInTotal: 20 } });
		await poll();
		await expect(workflow.poll('manual')).rejects.toMatchObject({
			message: 'The Credits in Total (20) are spent',
		});
	});
});

describe('What starts a new search', () => {
	const parameters = { filters: { ...iceland, jobTitles: 'a,b' }, leadsPerPoll: 5 };

	test('not Simplify, Include …, or another order of values', async () => {
		const { workflow, requests } = await open(parameters);
		await workflow.poll();
		workflow.restart({
			filters: { jobTitles: 'b, a', ...iceland },
			leadsPerPoll: 5,
			simplify: false,
			options: { includePhones: true },
		});
		await workflow.poll();
		expect(workflow.warnings).toEqual([]);
		expect(requests().length).toBeLessThanOrEqual(3);
	});

	test('other filters do, with a warning; the third time within 24 hours is refused', async () => {
		const { workflow, account } = await open({ filters: iceland, leadsPerPoll: 5 });
		await workflow.poll();
		for (const country of ['Germany', 'France']) {
			workflow.restart({ filters: { personLocationCountry: country }, leadsPerPoll: 5 });
			expect(await workflow.poll()).toHaveLength(5);
			expect(workflow.warnings.at(-1)).toContain('the filters or the address have changed');
		}
		workflow.restart({ filters: { personLocationCountry: 'Spain' }, leadsPerPoll: 5 });
		await expect(workflow.poll()).rejects.toThrow(
			'The filters have changed three times within 24 hours',
		);
		expect(account.spent.apiCredits).toBe(15);
	});

	test('another address does', async () => {
		const { workflow } = await open();
		await workflow.poll();
		await workflow.setCredential({ baseUrl: `${shared.service.baseUrl}/other`, apiKey: 'key' });
		await expect(workflow.poll()).rejects.toThrow();
		expect(workflow.warnings.at(-1)).toContain('the filters or the address have changed');
	});
});

test.each([{}, { answersPerPage: false }, { echoesPerPage: true }])(
	'at a service of 25 a page (%j), each lead is paid for once',
	async (behaviour) => {
		const { poll, account } = await open(
			{ leadsPerPoll: 50 },
			{ clampPerPage: 25, ...behaviour },
		);
		const delivered: unknown[] = [];
		for (let polls = 0; polls < 6; polls++) delivered.push(...(await poll()));
		expect(delivered).toEqual(people.slice(0, 300));
		expect(account.spent.apiCredits).toBe(300);
	},
);

test('the latest of two copies of the cursor wins', async () => {
	const { workflow, poll } = await open();
	await poll();
	const before = workflow.saved();
	await poll();
	workflow.overwriteGlobal(before);
	expect(await poll()).toEqual(people.slice(40, 60));
});

test.each([0, -1, 1.5, 100_001])(
	'leadsPerPoll %s is refused before anything is sent',
	async (leadsPerPoll) => {
		const { poll, requests } = await open({ leadsPerPoll });
		await expect(poll()).rejects.toMatchObject({
			message: `'Leads per Poll' is ${leadsPerPoll}, not a whole number from 1 to 100,000`,
			description: "Set 'Leads per Poll' to a whole number from 1 to 100,000.",
		});
		expect(requests()).toEqual([]);
	},
);

test('Credit Budget holds for each poll', async () => {
	const { poll, account } = await open({ leadsPerPoll: 50, options: { maxCredits: 8 } });
	expect(await poll()).toEqual(people.slice(0, 8));
	expect(await poll()).toEqual(people.slice(8, 16));
	expect(account.spent.apiCredits).toBe(16);
});

test('a poll asks for one page at a time, whatever the workflow file says', async () => {
	const { poll, requests, account } = await open({
		leadsPerPoll: 60,
		options: { pageSize: 10, parallelPages: 8 },
	});
	shared.service.admin.addFault({
		kind: 'latency',
		ms: 10,
		account: account.id,
		times: 'always',
	});
	expect(await poll()).toEqual(people.slice(0, 60));
	expect(requests().map(({ inFlight }) => inFlight)).toEqual(Array(6).fill(1));
});
