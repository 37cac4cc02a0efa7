/** Tests the leads, charges and messages of polls by examples. `polls.property.test.ts` tests random sequences of polls. */
import { sleep, type INodeParameters } from 'n8n-workflow';

import { leadAt, matching as leadsMatching, urlsMatching } from '../../sandbox/service';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Cursors } from '../../nodes/LeadSearch/trigger/cursor';
import { fakeDates, createTrigger } from './pollCore';
import { containing, icelandUrls as urls, matching, merge } from './useService';
import { status, useService, type Fault } from './useService';

const shared = useService();
const PREFIX = 'Lead Search Trigger: ';
const noRetries = { options: { maxRetries: 0 } };
type Setup = Parameters<typeof createTrigger>[2];

async function open(parameters?: INodeParameters, setup?: Setup) {
	const opened = await createTrigger(shared, parameters, setup);
	/** Expects that polls send no request. They may still throw an error. */
	const expectPause = async () => {
		const { length } = opened.requests();
		for (let polls = 0; polls < 3; polls++) expect(await opened.poll().catch(() => [])).toEqual([]);
		expect(opened.requests()).toHaveLength(length);
	};
	return { ...opened, expectPause };
}

const icelanders = Array.from(leadsMatching({ person_location_country: ['Iceland'] }), leadAt);
const germany = { filters: { personLocationCountry: 'Germany' } };
const germanUrls = urlsMatching({ person_location_country: ['Germany'] });

beforeEach(() => {
	fakeDates(Date.parse('2027-01-14T00:00:00Z'));
});
afterEach(() => {
	jest.useRealTimers();
});

const passHours = (hours: number) => {
	fakeDates(Date.now() + hours * 3_600_000);
};

describe('Delivery', () => {
	test('a poll at the end of the list pays for no lead that was bought after its cursor', async () => {
		const { poll, workflow, setLeadCount, spent } = await open({}, { leads: 10 });
		await poll();
		setLeadCount(15);
		expect(await workflow.pollOnce('manual')).toHaveLength(1);
		expect(await poll()).toHaveLength(5);
		expect(spent()).toBe(15);
	});

	test('each poll delivers the next leads, and the log has the cursor and the cost', async () => {
		const { poll, spent, workflow } = await open();
		expect(await poll()).toEqual(urls.slice(0, 20));
		expect(await poll()).toEqual(urls.slice(20, 40));
		expect(await workflow.restart()).toEqual([]);
		expect(await poll()).toEqual(urls.slice(40, 60));
		expect(spent()).toBe(60);
		const cost = (row: number) =>
			`${PREFIX}20 leads for 20 credits. The next poll continues after lead ${row}. If they are lost, Search (Paid) with the same filters and options, 'Skip' ${row - 20} and 'Limit' 20 returns them, for 0 credits within 30 minutes in this n8n process.`;
		expect(workflow.infos).toEqual([
			`${PREFIX}a new search starts at lead 1`,
			cost(20),
			cost(40),
			`${PREFIX}the workflow is active, and nothing is fetched until its next scheduled poll. The next poll continues after lead 40.`,
			cost(60),
		]);
		const fields = [0, 20, 40, 40, 60].map((cursor) => ({ nodeId: 'trigger', cursor }));
		expect(workflow.logFields).toMatchObject(fields);
	});

	test('a poll whose leads are all in one of two countries warns about nothing', async () => {
		const countries = { filters: { personLocationCountry: 'Iceland\nAtlantis' } };
		const { poll, workflow } = await open(countries);
		expect(await poll()).toEqual(urls.slice(0, 20));
		expect(workflow.warnings).toEqual([]);
	});

	test('each poll at the end of the list sends one free end check, and delivers new leads', async () => {
		const { poll, requests, setLeadCount, spent } = await open({}, { leads: 30 });
		await poll();
		expect(await poll()).toEqual(urls.slice(20, 30));
		for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
		expect(requests().slice(-3)).toMatchObject(Array(3).fill({ page: 31, perPage: 1, rows: 0 }));
		setLeadCount(45);
		expect(await poll()).toEqual(urls.slice(30, 45));
		expect(spent()).toBe(45);
	});

	test('a list that the service refuses to continue is reported once, and new leads are still delivered', async () => {
		const missing = ['has_more', 'next_page'] as const;
		const readings = { afterLast: 404, missing } as const;
		const { poll, workflow, setLeadCount } = await open({}, { leads: 40, readings });
		for (let polls = 0; polls < 5; polls++) await poll();
		expect(workflow.warnings).toEqual([
			containing('The service refused to return leads after row 40'),
		]);
		setLeadCount(45);
		expect(await poll()).toEqual(urls.slice(40, 45));
	});

	test('concurrent polls run one after another', async () => {
		const { poll } = await open();
		await poll();
		const polled = await Promise.all([poll(), poll()]);
		expect(polled).toEqual([urls.slice(20, 40), urls.slice(40, 60)]);
	});
});

describe('Tests in the editor', () => {
	test("a test in the editor buys the next lead once and doesn't move the cursor, and the next poll reuses it", async () => {
		const { poll, spent, workflow } = await open({ maxCreditsPerDay: 20 }, { leads: 20 });
		for (let times = 0; times < 2; times++)
			expect([await poll('manual'), spent()]).toEqual([urls.slice(0, 1), 1]);
		expect(workflow.copies()).toEqual({});
		const [polled, tested] = await Promise.all([poll(), poll('manual')]);
		expect([polled, tested.length, spent()]).toEqual([urls.slice(0, 20), 1, 20]);
		passHours(24);
		await expect(poll('manual')).rejects.toMatchObject({
			message: 'This search has no leads after lead 20',
			description:
				"The leads up to there were delivered before, or skipped by 'Skip'. Each poll requests the next lead. Nothing was charged. The next poll continues after lead 20.",
		});
	});

	test('a test in the editor without a match lists the filters, as the first poll does', async () => {
		const filters = { personLocationCountry: 'Atlantis' };
		const { poll, workflow } = await open({ filters });
		const noMatch =
			"No leads match where 'Person Country' is 'Atlantis'. For a country, write 'United States', not 'USA'.";
		const error = {
			message: 'No leads match',
			description: `${noMatch} To find the filter that matches no leads, use Count and Preview of the Lead Search node for free. Nothing was charged. The next poll continues after lead 0.`,
		};
		await expect(poll('manual')).rejects.toMatchObject(error);
		await expect(workflow.pollOnce()).rejects.toMatchObject(error);
		expect(await workflow.pollOnce()).toEqual([]);
		expect(workflow.warnings).toEqual(Array(3).fill(PREFIX + noMatch));
	});

	test("a poll without a match doesn't say that nothing was charged after a 503", async () => {
		const { addFault, workflow } = await open({}, { leads: 0 });
		addFault(status(503));
		await expect(workflow.pollOnce()).rejects.toMatchObject({
			message: 'No leads match',
			description: expect.not.stringContaining('Nothing was charged') as string,
		});
	});

	test('a test in the editor returns its cost with Include Usage, as each poll does', async () => {
		const options = { includeUsage: true };
		const { workflow } = await open({ leadsPerPoll: 3, options });
		const usageOf = async (mode?: 'manual') =>
			(await workflow.poll(mode)).map(({ json }) => json.usage);
		const today = {
			creditsToday: 3,
			creditsThisMonth: 3,
			creditsInTotal: 3,
			creditsUntilLimit: 997,
		};
		const usage = { credits: 3, ...today, requests: 1, deliveredBefore: 0, cursor: 3 };
		expect(await usageOf()).toEqual(Array(3).fill(usage));
		expect(await usageOf('manual')).toEqual([{ ...usage, credits: 1 }]);
		const later = {
			creditsToday: 5,
			creditsThisMonth: 5,
			creditsInTotal: 5,
			creditsUntilLimit: 995,
			cursor: 6,
		};
		expect(await usageOf()).toEqual(Array(3).fill({ ...usage, credits: 2, ...later }));
	});
});

describe('Limits', () => {
	test('polls of 50 leads with Max Credits per Day 120 deliver 50, 50, 20 and no leads, and the limit is reported once, and to a test in the editor', async () => {
		const { poll, spent, workflow } = await open({ leadsPerPoll: 50, maxCreditsPerDay: 120 });
		for (const leads of [50, 50, 20]) expect(await poll()).toHaveLength(leads);
		const message = "'Max Credits per Day' (120) is spent for 2027-01-14";
		const description =
			'Raise this limit to get more leads. Polls send nothing until the next day.';
		for (const mode of [undefined, 'manual'] as const)
			await expect(poll(mode)).rejects.toMatchObject({ message, description });
		expect(await poll()).toEqual([]);
		expect([workflow.reportedErrors, workflow.infos.at(-1)]).toEqual([[message], PREFIX + message]);
		expect(spent()).toBe(120);
		passHours(24);
		expect(await poll()).toHaveLength(50);
	});

	test('polls with Max Credits per Month 120 deliver 120 leads, and the next ones in the next month', async () => {
		const options = { maxCreditsPerMonth: 120, includeUsage: true };
		const { poll, spent, workflow } = await open({ leadsPerPoll: 50, options });
		for (const leads of [50, 50, 20]) expect(await poll()).toHaveLength(leads);
		const message = "'Max Credits per Month' (120) is spent for 2027-01";
		const description =
			'Raise this limit to get more leads. Polls send nothing until the next month.';
		await expect(poll()).rejects.toMatchObject({ message, description });
		passHours(24);
		expect([await workflow.restart(), await poll().catch(() => [])]).toEqual([[], []]);
		expect(spent()).toBe(120);
		// In the time zone of the workflow, February has started.
		passHours(16 * 24 + 12);
		expect(new Date().toISOString()).toMatch(/^2027-01-31T12/);
		const [lead] = await workflow.poll();
		expect(lead?.json.usage).toMatchObject({ creditsToday: 50, creditsThisMonth: 50 });
	});

	test('the month is counted to its last day, also without the option, although the trigger removes the oldest days', async () => {
		const { poll, publish, workflow } = await open({ leadsPerPoll: 5 });
		passHours(-25 * 24);
		// The trigger polls on 11 days in December and 31 days in January.
		for (let day = 0; day < 42; day++) {
			passHours(24);
			expect(await poll()).toHaveLength(5);
		}
		expect(Object.keys((workflow.copies().nodeCopy as Cursors).spent)).toHaveLength(40);
		const options = { maxCreditsPerMonth: 157, includeUsage: true };
		publish({ leadsPerPoll: 5, options });
		const leads = await workflow.poll();
		expect(leads.map(({ json }) => json.usage)).toMatchObject([
			{ creditsThisMonth: 157, creditsUntilLimit: 0 },
			{ creditsThisMonth: 157 },
		]);
		publish({ leadsPerPoll: 5, options: { maxCreditsPerMonth: 0 } });
		expect(await poll()).toHaveLength(5);
	});

	test('a Search with the Skip and Limit of the log line of a poll returns its leads for 0 credits', async () => {
		const { poll, workflow, search, spent } = await open();
		await poll();
		const lost = await poll();
		const [, skip, limit] =
			/'Skip' (\d+) and 'Limit' (\d+)/.exec(workflow.infos.at(-1) ?? '') ?? [];
		const parameters = { limit: Number(limit), options: { skip: Number(skip) } };
		const { credentialId } = workflow;
		expect((await search(parameters, { credentialId })).urls).toEqual(lost);
		expect(spent()).toBe(40);
	});

	test("a poll spends no more than the credential's Credit Ceiling", async () => {
		const { poll } = await open({ leadsPerPoll: 100 }, { creditCeiling: 70 });
		expect(await poll()).toHaveLength(70);
	});

	test('possibly charged credits count toward Max Credits in Total', async () => {
		const faults: Fault[] = [{ kind: 'loseAfterAnswer', nthRequest: 1 }];
		const { poll } = await open({ options: { maxRetries: 0, maxCreditsInTotal: 30 } }, { faults });
		await expect(poll()).rejects.toThrow('may have been charged');
		passHours(1.1);
		expect(await poll()).toEqual(urls.slice(0, 10));
	});

	test('days are counted in UTC with a warning if the time zone is invalid', async () => {
		passHours(20);
		const { poll, workflow } = await open();
		workflow.timeZone = 'GMT+2';
		workflow.publish();
		await poll();
		expect(workflow.copies()).toMatchObject({ nodeCopy: { spent: { '2027-01-14': 20 } } });
		expect(workflow.warnings).toEqual([containing('time zone "GMT+2" is unknown')]);
	});

	test('credits that a poll spent before an exception count, and the next poll skips no lead', async () => {
		const parameters = { leadsPerPoll: 50, maxCreditsPerDay: 70, options: { pageSize: 25 } };
		const { poll, expectPause } = await open(parameters);
		jest.spyOn(LeadList.prototype, 'rowsBetween').mockImplementationOnce(() => {
			throw new RangeError('Invalid string length');
		});
		await expect(poll()).rejects.toThrow('Invalid string length');
		passHours(1.1);
		expect(await poll()).toEqual(urls.slice(0, 20));
		await expectPause();
	});
});

describe('Failed polls', () => {
	test('a poll that runs out of credits delivers its leads and reports a 402, and a poll after a top-up continues with the next lead', async () => {
		const parameters = { leadsPerPoll: 50, options: { skip: 200 } };
		const { poll, topUp, workflow } = await open(parameters, { apiCredits: 30 });
		expect(await poll()).toEqual(urls.slice(200, 230));
		expect(workflow.reportedErrors).toEqual([
			containing('(402): the credits ran out after 30 leads'),
		]);
		await expect(poll()).rejects.toThrow('402');
		topUp();
		expect(await poll()).toEqual(urls.slice(230, 280));
	});

	test('a poll that takes longer than n8n allows fails with a message about the time limit', async () => {
		const { poll, workflow } = await open({}, { faults: [{ kind: 'hang' }] });
		workflow.timeLimitMs = 2_000;
		await expect(poll()).rejects.toMatchObject({
			message:
				"The lead service did not answer within n8n's time limit for a poll; the request may have been charged",
			description: matching(
				/^Set a lower 'Leads per Poll', or a smaller 'Page Size' under Options\. .*Polls send nothing until .* 1 response was lost or could not be used; up to 20 credits may have been charged\.$/,
			),
		});
	});

	test('a poll starts no back-off that would end after half of its time limit, and delivers the leads that it has', async () => {
		const { poll, addFault, workflow } = await open({ options: { pageSize: 10 } });
		workflow.timeLimitMs = 20_000;
		const fault = addFault(status(429, { page: 2, times: 'always' }));
		jest.mocked(sleep).mockClear();
		expect(await poll()).toEqual(urls.slice(0, 10));
		expect(jest.mocked(sleep).mock.calls.map(([waitMs]) => waitMs)).toEqual([1_000]);
		expect(workflow.warnings).toEqual([
			`${PREFIX}Too many requests for the lead service (429). The next poll continues after lead 10.`,
		]);
		expect(workflow.reportedErrors).toEqual([]);
		fault.remove();
		expect(await poll()).toEqual(urls.slice(10, 30));
	});
});

describe('Pauses', () => {
	const unexpected = merge({ page: 4, next_page: 5 });
	const deliveredLead = merge({ preview_data: icelanders.slice(5, 6) });
	const unexpectedOldLeads = merge({
		page: 4,
		next_page: 5,
		preview_data: icelanders.slice(0, 20),
	});

	test.each<[string, Fault, string, number?]>([
		['is unexpected and has no new leads', unexpectedOldLeads, 'unexpected'],
		['was lost', { kind: 'loseAfterAnswer' }, 'connection was lost'],
	])(
		'polls pause for an hour, and then for 22 hours, after a response that %s',
		async (_, fault, message, leads = 100) => {
			const opened = await open(noRetries, { leads });
			const { poll, workflow, requests, addFault, expectPause } = opened;
			const { length: row } = await poll();
			opened.setLeadCount(100);
			const lastingFault = addFault({ ...fault, times: 'always' });
			for (const pauseHours of [0.9, 21, 21]) {
				const { length } = requests();
				await poll().catch(() => undefined);
				expect(requests()).toHaveLength(length + 1);
				// The first of these polls is an error of the workflow. The log has each.
				expect(workflow.reportedErrors.splice(0).join()).toContain(pauseHours < 1 ? message : '');
				expect(workflow.warnings.splice(0).join()).toContain('Polls send nothing until');
				await workflow.restart();
				await expectPause();
				workflow.publish(undefined, 'activate');
				await expectPause();
				passHours(pauseHours);
				await expectPause();
				passHours(pauseHours < 1 ? 0.2 : 1.1);
			}
			lastingFault.remove();
			expect(await poll()).toEqual(urls.slice(row, row + 20));
			expect(await poll()).toEqual(urls.slice(row + 20, row + 40));
		},
	);

	test('polls pause at the end of a list whose last page is repeated, and deliver new leads after the pause', async () => {
		const readings = { afterLast: 'lastPage' } as const;
		const { poll, setLeadCount, spent, workflow } = await open({}, { leads: 30, readings });
		// The end check costs a credit with the last leads, in the next poll, and an hour later. Then polls pause for 22 hours.
		for (const [hours, credits] of Object.entries({ 0: 32, 1: 33, 21: 33 })) {
			passHours(Number(hours));
			for (let polls = 0; polls < 4; polls++) await poll().catch(() => []);
			expect(spent()).toBe(credits);
		}
		// The first paid poll without leads is a failed execution. The log has both.
		const message = 'This search has no leads after lead 30';
		const isAboutEnd = (text: string) => text.includes(message);
		expect(workflow.reportedErrors).toEqual([message]);
		expect(workflow.warnings.filter(isAboutEnd)).toHaveLength(2);
		await expect(poll('manual')).rejects.toMatchObject({
			description: containing('Each poll requests the next lead. 1 credit was charged.'),
		});
		setLeadCount(31);
		passHours(24);
		expect(await poll()).toEqual(urls.slice(30, 31));
		setLeadCount(45);
		expect(await poll()).toEqual(urls.slice(31, 45));
	});

	test("charged leads are delivered before a pause, and polls with other filters aren't paused", async () => {
		const { poll, addFault, publish } = await open();
		addFault({ ...unexpected, times: 'always' });
		expect(await poll()).toEqual(urls.slice(0, 20));
		passHours(0.1);
		await expect(poll()).rejects.toThrow('unexpected');
		expect(await poll()).toEqual([]);
		publish(germany);
		expect(await poll()).toHaveLength(20);
	});

	test("a test in the editor isn't paused, and ends the pause if it succeeds", async () => {
		const { poll, addFault, workflow } = await open(noRetries);
		const fault = addFault({ kind: 'wrongEncoding', times: 'always' });
		await expect(poll()).rejects.toThrow("can't be read");
		await expect(poll('manual')).rejects.toThrow("can't be read");
		fault.remove();
		expect(await poll()).toEqual([]);
		expect(await poll('manual')).toEqual(urls.slice(0, 1));
		expect(await poll()).toEqual(urls.slice(0, 20));
		expect(workflow.infos.at(-1)).toContain('20 leads for 19 credits');
	});

	test('a new lead at the end of the list is delivered, even if leads that were delivered before follow it', async () => {
		const { poll, spent, addFault, setLeadCount, workflow } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		setLeadCount(45);
		// The list has 15 new leads at its start, so the leads of rows 16 to 29 follow the new lead at row 30.
		const moved = icelanders.slice(16, 30);
		addFault({ ...merge({ preview_data: moved.slice(0, 1) }), page: 32, perPage: 1 });
		addFault({ ...merge({ preview_data: moved.slice(1) }), page: 3, perPage: 16 });
		expect(await poll()).toEqual(urls.slice(30, 31));
		expect(workflow.warnings.at(-1)).toContain(
			'so this poll received 14 leads that were delivered before',
		);
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(45);
	});

	test('polls recognize leads that were delivered before, even if the first response with them was lost', async () => {
		const { poll, addFault, setLeadCount, spent, workflow } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		setLeadCount(35);
		const atEnd = { page: 31, perPage: 1 };
		addFault({ kind: 'loseAfterAnswer', ...atEnd });
		addFault({ ...deliveredLead, ...atEnd, times: 'always' });
		const message = 'so this poll received a lead that was delivered before';
		expect(await poll()).toEqual(urls.slice(31, 35));
		expect(workflow.warnings.join()).toContain(message);
		expect(spent()).toBe(36);
	});
});

describe('The cursor', () => {
	test.each(['nodeCopy', 'workflowCopy'] as const)(
		"polls buy nothing, and say once how to start over, if the %s of their cursor can't be read",
		async (name) => {
			const { poll, workflow, requests } = await open();
			await poll();
			const later = { ...(workflow.copies()[name] as object), version: 99 };
			workflow.setCopies({ ...workflow.copies(), [name]: later });
			workflow.clearMemory();
			const text = {
				message: "The trigger's saved position can't be read, so nothing was fetched",
				description: containing("set 'Skip' under Options to the last lead number in n8n's log"),
			};
			await expect(poll()).rejects.toMatchObject(text);
			for (let polls = 0; polls < 2; polls++) expect(await poll()).toEqual([]);
			await expect(poll('manual')).rejects.toMatchObject(text);
			expect([requests().length, workflow.copies()[name]]).toEqual([1, later]);
		},
	);

	test('leads are bought again after a restart if an older state of the workflow was restored, unless Skip is set', async () => {
		const { poll, publish, workflow, spent } = await open();
		await poll();
		const older = workflow.copies();
		await poll();
		await poll();
		passHours(1);
		// The process remembers the later cursor, and takes the leads of the last poll for leads that n8n hasn't saved.
		workflow.setCopies(older);
		expect([await poll(), spent()]).toEqual([urls.slice(40, 60), 60]);
		workflow.setCopies(older);
		await workflow.restart();
		expect([await poll(), spent()]).toEqual([urls.slice(20, 40), 80]);
		publish({ options: { skip: 60 } });
		expect(await poll()).toEqual(urls.slice(60, 80));
		publish({ options: { skip: 20 } });
		expect(await poll()).toEqual(urls.slice(80, 100));
	});

	test('filters that an expression changes start a new search with a warning, and the fourth automatic one within 24 hours is rejected', async () => {
		const changing = { filters: { personLocationCountry: '=Iceland, {{ $now.toMillis() }}' } };
		const { poll, publish, workflow } = await open(changing);
		// The first search isn't automatic, because the user chose its filters.
		for (let polls = 0; polls < 4; polls++) {
			expect(await poll()).toEqual(urls.slice(0, 20));
			passHours(0.1);
		}
		expect(workflow.warnings).toEqual(Array(3).fill(containing('a new search starts at lead 1')));
		await expect(poll()).rejects.toThrow('Polls started three new searches within 24 hours');
		publish(germany);
		expect(await poll()).toEqual(germanUrls.slice(0, 20));
	});
});

describe('Activations', () => {
	test('an activation polls for a search without a cursor, and sends nothing for a search with a cursor', async () => {
		const { workflow, publish, requests } = await open();
		expect(await workflow.pollOnce()).toHaveLength(20);
		publish(germany);
		expect(await workflow.pollOnce()).toHaveLength(20);
		publish({});
		for (const mode of ['init', 'init', 'activate', 'update', 'leadershipChange'] as const) {
			workflow.clearMemory(mode);
			expect(await workflow.pollOnce()).toEqual([]);
		}
		expect(requests()).toHaveLength(2);
	});

	test('an activation reports a 401 to n8n without failing, a scheduled poll throws it, and the next poll delivers leads', async () => {
		const { poll, workflow, addFault } = await open(noRetries);
		addFault(status(401));
		await expect(workflow.pollOnce()).rejects.toThrow('not accepted');
		expect(workflow.reportedErrors).toEqual([containing('not accepted')]);
		// A scheduled poll throws the error, so that n8n waits as the error declares.
		addFault(status(401));
		await expect(poll()).rejects.toThrow('not accepted');
		expect(workflow.reportedErrors).toHaveLength(1);
		expect(await poll()).toEqual(urls.slice(0, 20));
	});
});

test('leads that n8n discards, as during publishing, are delivered again for 0 credits hours later, also after the filters were changed and restored', async () => {
	const { poll, publish, workflow, spent } = await open();
	for (let times = 0; times < 2; times++) {
		await workflow.pollAndDiscard();
		passHours(5);
	}
	const warning = 'n8n did not save the leads of the previous poll, so they are returned again';
	expect(workflow.warnings).toEqual([`${PREFIX}${warning}, for 0 credits`]);
	publish(germany);
	expect(await poll()).toEqual(germanUrls.slice(0, 20));
	publish({});
	expect([await poll(), spent()]).toEqual([urls.slice(0, 20), 40]);
});

test('a poll whose durable cursor was read before the previous poll ended fetches nothing', async () => {
	const { workflow, poll } = await open();
	workflow.enableDurableCursors();
	const before = workflow.copies();
	await poll();
	const saved = workflow.copies();
	workflow.setCopies(before);
	expect(await poll()).toEqual([]);
	workflow.setCopies(saved);
	expect(await poll()).toEqual(urls.slice(20, 40));
});

test.each<[string, Setup, number[], number[]]>([
	['names', { readings: { pageSize: 40 } }, [100, 40, 20], [25, 25, 30, 20]],
	[
		'refuses',
		{ readings: { pageSize: 40, tooLarge: 422 } },
		[100, 25, 25, 25, 25],
		[25, 25, 25, 25],
	],
	['has lost', { faults: [status(504)] }, [100, 25, 25, 25, 25], [100]],
])(
	'the next poll knows a page size that the service names or refuses, but not that a response was lost: the service %s it',
	async (_, setup, sizes, later) => {
		const { poll, requests } = await createTrigger(shared, { leadsPerPoll: 100 }, setup);
		expect(await poll()).toEqual(urls.slice(0, 100));
		expect(await poll()).toEqual(urls.slice(100, 200));
		expect(requests().map(({ perPage }) => perPage)).toEqual([...sizes, ...later]);
	},
);
