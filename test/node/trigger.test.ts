import { sleep, type INodeParameters } from 'n8n-workflow';

import { urlsMatching } from '../../sandbox/service';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { fakeDates, openTrigger, PolledWorkflow, TIME_ZONE } from './pollCore';
import { containing, iceland, icelanders as people, matching, merge } from './useService';
import { status, useService, type Fault } from './useService';

const shared = useService();
const PREFIX = 'Lead Search Trigger: ';
const inTens = { pageSize: 10 };

const open = async (parameters?: INodeParameters, setup?: Parameters<typeof openTrigger>[2]) =>
	await openTrigger(shared, parameters, setup);

afterEach(() => {
	jest.useRealTimers();
});

const pass = (hours: number) => {
	fakeDates(Date.now() + hours * 3_600_000);
};

describe('Each lead is delivered and paid for once', () => {
	test('the first poll delivers the first leads, following ones the next, and the log tells the cost', async () => {
		const { poll, spent, workflow } = await open();
		expect(await poll()).toEqual(people.slice(0, 20));
		expect(await poll()).toEqual(people.slice(20, 40));
		expect(await workflow.restart()).toEqual([]);
		expect(await poll()).toEqual(people.slice(40, 60));
		expect(spent()).toBe(60);
		const cost = (row: number) =>
			`${PREFIX}20 leads for 20 credits. The next poll goes on after lead ${row}.`;
		expect(workflow.infos).toEqual([
			`${PREFIX}a new search, from lead 1`,
			...[cost(20), cost(40)],
			`${PREFIX}the workflow is active, and nothing is fetched until the schedule says so. The next poll goes on after lead 40.`,
			cost(60),
		]);
	});

	test('each line of the log has the workflow, the node and the place as fields', async () => {
		const { poll, workflow } = await open();
		for (let polls = 0; polls < 2; polls++) await poll();
		const trigger = { nodeId: 'trigger', nodeName: 'Lead Search Trigger', workflowName: 'Polled' };
		expect(workflow.fields).toEqual(
			[0, 20, 40].map((place): unknown => expect.objectContaining({ ...trigger, place })),
		);
	});

	test('at the end each poll asks one free question, and delivers what has come since', async () => {
		const { poll, requests, grow, spent } = await open({}, { leads: 30 });
		await poll();
		expect(await poll()).toEqual(people.slice(20, 30));
		for (let polls = 0; polls < 2; polls++) {
			const { length } = requests();
			expect(await poll()).toEqual([]);
			expect(requests().slice(length)).toMatchObject([{ page: 31, perPage: 1, rows: 0 }]);
		}
		grow(45);
		expect(await poll()).toEqual(people.slice(30, 45));
		expect(spent()).toBe(45);
	});

	test('at an end that costs, where the last page comes once more, in an hour, then once a day', async () => {
		const readings = { afterLast: 'lastPage' } as const;
		const { poll, grow, spent, workflow } = await open({}, { leads: 30, readings });
		for (let polls = 0; polls < 9; polls++) await poll();
		// With the last leads, and once more.
		expect(spent()).toBe(32);
		const told = {
			description: containing('Each poll asks for the next one. 1 credit was charged.'),
		};
		expect(workflow.infos.at(-1)).toContain('Polls send nothing until');
		await expect(poll('manual')).rejects.toMatchObject(told);
		pass(1);
		for (let polls = 0; polls < 9; polls++) await poll();
		expect(spent()).toBe(34);
		grow(31);
		pass(24);
		expect(await poll()).toEqual(people.slice(30, 31));
		expect(spent()).toBe(36);
		grow(45);
		expect(await poll()).toEqual(people.slice(31, 45));
	});

	test('a list that the service refuses to go on with is told once, and grows all the same', async () => {
		const missing = ['has_more', 'next_page'] as const;
		const readings = { afterLast: 404, missing } as const;
		const { poll, workflow, grow } = await open({}, { leads: 40, readings });
		for (let polls = 0; polls < 5; polls++) await poll();
		expect(workflow.warnings).toEqual([containing('The service refused to go past row 40')]);
		grow(45);
		expect(await poll()).toEqual(people.slice(40, 45));
	});

	test('two polls at once deliver each lead once', async () => {
		const { poll, spent } = await open();
		expect((await Promise.all([poll(), poll()])).flat()).toEqual(people.slice(0, 20));
		expect(await poll()).toEqual(people.slice(20, 40));
		expect(spent()).toBe(40);
	});

	test('two n8n that take turns go on after each other, whatever one polled without leads', async () => {
		const { poll, workflow, grow, spent, account } = await open({}, { leads: 20 });
		const { baseUrl } = shared.service;
		const parameters = { filters: iceland, leadsPerPoll: 20 };
		const other = await PolledWorkflow.create(parameters, { baseUrl, apiKey: account.apiKey });
		await poll();
		other.setCopies(workflow.copies());
		for (let polls = 0; polls < 2; polls++) await poll();
		grow(40);
		expect(await other.poll()).toHaveLength(20);
		workflow.setCopies(other.copies());
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(40);
	});

	test('a poll asks for one page at a time, whatever the workflow file says', async () => {
		const options = { ...inTens, parallelPages: 8 };
		const faults: Fault[] = [{ kind: 'latency', ms: 10, times: 'always' }];
		const { poll, requests } = await open({ leadsPerPoll: 60, options }, { faults });
		expect(await poll()).toEqual(people.slice(0, 60));
		expect(requests().map(({ inFlight }) => inFlight)).toEqual(Array(6).fill(1));
	});

	test('leads have 9 fields with Simplify, and all without', async () => {
		const simple = await open({ leadsPerPoll: 1 });
		expect(Object.keys((await simple.workflow.poll())[0]?.json ?? {})).toHaveLength(9);
		const whole = await open({ leadsPerPoll: 1, simplify: false });
		expect((await whole.workflow.poll())[0]?.json).toHaveProperty('twitter_status');
	});
});

describe('A test in the editor', () => {
	test('buys its lead while a poll is under way, too', async () => {
		const { poll, spent } = await open();
		const [polled, tested] = await Promise.all([poll(), poll('manual')]);
		expect([polled.length, tested.length, spent()]).toEqual([20, 1, 20]);
	});

	test('buys the next lead once and moves no place; the next poll within the hour has it for nothing', async () => {
		const { poll, spent, workflow } = await open({ maxCreditsPerDay: 20 }, { leads: 25 });
		for (let times = 0; times < 2; times++) {
			expect(await poll('manual')).toEqual(people.slice(0, 1));
			expect(spent()).toBe(1);
		}
		expect(workflow.copies()).toEqual({});
		expect(await poll()).toEqual(people.slice(0, 20));
		expect(spent()).toBe(20);
		const before = workflow.copies();
		pass(24);
		expect(await poll('manual')).toEqual(people.slice(20, 21));
		expect(workflow.copies()).toEqual(before);
		expect(await poll()).toEqual(people.slice(20, 25));
		await expect(poll('manual')).rejects.toMatchObject({
			message: 'No lead follows the first 25 of this search',
			description:
				"They were delivered before, or passed over by 'Skip'. Each poll asks for the next one. Nothing was charged.",
		});
	});

	test('that finds nobody says which filters it asked for', async () => {
		const filters = { personLocationCountry: 'Atlantis' };
		const { poll, workflow } = await open({ filters });
		await expect(poll('manual')).rejects.toMatchObject({
			message: 'No leads match',
			description:
				"No leads match where 'Person Country' is 'Atlantis'. Count and Preview of the Lead Search node tell which filter it is, for free. Nothing was charged.",
		});
		expect(await workflow.pollOnce()).toEqual([]);
		expect(workflow.warnings).toEqual([
			`${PREFIX}No leads match where 'Person Country' is 'Atlantis'.`,
			`${PREFIX}No leads match where 'Person Country' is 'Atlantis'.`,
		]);
	});

	test('says what it cost under Include Usage, as each poll does', async () => {
		const options = { includeUsage: true };
		const { poll, workflow } = await open({ leadsPerPoll: 3, options });
		const usageOf = async (mode?: 'manual') =>
			(await workflow.poll(mode)).map(({ json }) => json.usage);
		const today = { creditsToday: 3, creditsInTotal: 3, creditsLeft: 997 };
		const usage = { credits: 3, ...today, requests: 1, place: 3 };
		expect(await usageOf()).toEqual(Array(3).fill(usage));
		expect(await usageOf('manual')).toEqual([{ ...usage, credits: 1 }]);
		await poll();
		const later = { ...usage, creditsToday: 8, creditsInTotal: 8, creditsLeft: 992, place: 9 };
		expect(await usageOf()).toEqual(Array(3).fill(later));
	});
});

describe('Ceilings', () => {
	test('120 credits a day at 50 a poll give 50, 50, 20 and none, with a line in the log', async () => {
		const { poll, spent, workflow } = await open({ leadsPerPoll: 50, maxCreditsPerDay: 120 });
		for (const leads of [50, 50, 20, 0]) expect(await poll()).toHaveLength(leads);
		expect(spent()).toBe(120);
		expect(workflow.infos.at(-1)).toMatch(
			/^Lead Search Trigger: 'Max Credits per Day' \(120\) is spent for \d{4}-\d\d-\d\d$/,
		);
		pass(24);
		expect(await poll()).toHaveLength(50);
	});

	test.each<[string, INodeParameters, number]>([
		['as it is preset', {}, 1_000],
		['of 0', { maxCreditsPerDay: 0 }, 1_200],
	])('Max Credits per Day %s lets a poll of 1,200 spend %3$i', async (_, most, credits) => {
		const { poll } = await open({ leadsPerPoll: 1_200, ...most });
		expect(await poll()).toHaveLength(credits);
	});

	test("the credential's Credit Ceiling of 70 lets polls of 100 spend 70 each", async () => {
		const { poll, spent } = await open({ leadsPerPoll: 100 }, { creditCeiling: 70 });
		expect(await poll()).toEqual(people.slice(0, 70));
		expect(await poll()).toEqual(people.slice(70, 140));
		expect(spent()).toBe(140);
	});

	test('what may have been charged for a lost answer counts, and is told', async () => {
		const faults: Fault[] = [{ kind: 'loseAfterAnswer' }];
		const inTotal = { options: { maxCreditsInTotal: 30 } };
		const { poll, spent, workflow } = await open(inTotal, { faults });
		expect(await poll()).toEqual(people.slice(0, 10));
		expect(workflow.infos.slice(-2)).toEqual([
			matching(/^Lead Search Trigger: no answer came; asking again in [12] seconds?$/),
			`${PREFIX}10 leads for 10 credits; up to 20 credits for answers that were lost. The next poll goes on after lead 10.`,
		]);
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(30);
	});

	test('a page that is lost is lost once: the polls after it ask for what is safe', async () => {
		const { poll, addFault, requests } = await open({ leadsPerPoll: 500, maxCreditsPerDay: 0 });
		addFault(status(504, { perPage: 500, times: 'always' }));
		expect(await poll()).toHaveLength(500);
		pass(1);
		expect(await poll()).toHaveLength(500);
		expect(requests().filter(({ perPage }) => perPage === 500)).toHaveLength(1);
	});

	test('a poll of which lost answers took all that it may spend says so, as does a test', async () => {
		const faults: Fault[] = [{ kind: 'loseAfterAnswer', times: 'always' }];
		const { poll, spent, workflow } = await open({}, { faults, creditCeiling: 12 });
		const told = (credits: string) => ({
			message: containing('; it may have been charged'),
			description: matching(
				new RegExp(
					`^Run again later. If it stays like this, set a smaller 'Page Size' under Options. .* 1 answer was lost or could not be used; up to ${credits} may have been charged.$`,
				),
			),
		});
		await expect(poll()).rejects.toMatchObject(told('12 credits'));
		await expect(poll('manual')).rejects.toMatchObject(told('1 credit'));
		expect(spent()).toBe(13);
		const searches = [{ spentInTotal: 12, row: 0 }];
		expect(workflow.copies()).toMatchObject({ ofNode: { searches } });
	});
});

describe('A poll that fails', () => {
	test('keeps its place and says so', async () => {
		const { poll, addFault } = await open({ options: { maxRetries: 0 } });
		await poll();
		addFault(status(500, { body: {} }));
		await expect(poll()).rejects.toMatchObject({
			message: 'The lead service could not process the request (500)',
			description:
				'Run again later. If it stays like this, contact the lead service. The next poll goes on after lead 20.',
		});
		expect(await poll()).toEqual(people.slice(20, 40));
	});

	test('by credits that ran out delivers its leads, then says so, then goes on exactly there', async () => {
		const parameters = { leadsPerPoll: 50, options: { skip: 200 } };
		const { poll, topUp, spent, workflow } = await open(parameters, { apiCredits: 30 });
		expect(await poll()).toEqual(people.slice(200, 230));
		expect(workflow.warnings).toEqual([containing('402')]);
		// Told at once, as the error of a poll: the error workflow need not wait for the next.
		expect(workflow.told).toEqual([containing('(402): 30 leads came')]);
		await expect(poll()).rejects.toThrow('402');
		topUp();
		expect(await poll()).toEqual(people.slice(230, 280));
		expect(spent()).toBe(80);
	});

	test('after the last page came once more, before the rows that it wants, counts what that cost', async () => {
		const readings = { afterLast: 'lastPage' } as const;
		const parameters = { options: { skip: 1 } };
		const { poll, spent, workflow } = await open(parameters, { leads: 1, readings, apiCredits: 1 });
		await expect(poll()).rejects.toThrow('402');
		expect(spent()).toBe(1);
		expect(workflow.copies()).toMatchObject({ ofNode: { searches: [{ spentToday: 1, row: 1 }] } });
	});

	test('by credits that ran out with the last lead of a poll before is no reason to halt', async () => {
		const { poll, topUp } = await open({}, { apiCredits: 20 });
		await poll();
		for (let polls = 0; polls < 2; polls++) await expect(poll()).rejects.toThrow('402');
		topUp();
		expect(await poll()).toEqual(people.slice(20, 40));
	});

	test('by an answer that did not come in the time that n8n gives says so', async () => {
		const { poll, workflow } = await open({}, { faults: [{ kind: 'hang' }] });
		workflow.budgetMs = 2_000;
		await expect(poll()).rejects.toMatchObject({
			message:
				'The lead service did not answer within the time that n8n gives a poll; it may have been charged',
			description: matching(
				/^Set fewer 'Leads per Poll', or a smaller 'Page Size' under Options\. .*Polls send nothing until .* 1 answer was lost or could not be used; up to 20 credits may have been charged\.$/,
			),
		});
	});

	test('begins no wait that would end after half of its time, and delivers what it has', async () => {
		const { poll, addFault, workflow, requests } = await open({ options: inTens });
		workflow.budgetMs = 20_000;
		const busy = addFault(status(429, { page: 2, times: 'always' }));
		jest.mocked(sleep).mockClear();
		expect(await poll()).toEqual(people.slice(0, 10));
		expect(jest.mocked(sleep).mock.calls.map(([waitMs]) => waitMs)).toEqual([1_000]);
		expect(workflow.infos).toContain(
			'Lead Search Trigger: the lead service answered 429; asking again in 1 second',
		);
		expect(workflow.warnings).toEqual([
			`${PREFIX}Too many requests for the lead service (429). The next poll goes on after lead 10.`,
		]);
		expect(workflow.told).toEqual([]);
		expect(requests()).toHaveLength(3);
		busy.remove();
		expect(await poll()).toEqual(people.slice(10, 30));
	});
});

test('a place that other data of the workflow sets back is remembered, also by a poll that sent nothing', async () => {
	const { poll, workflow } = await open({ maxCreditsPerDay: 40 });
	await poll();
	const earlier = workflow.copies();
	await poll();
	await workflow.restart();
	expect(await poll()).toEqual([]);
	workflow.setCopies(earlier);
	pass(24);
	expect(await poll()).toEqual(people.slice(40, 60));
});

describe('After a poll that paid, or may have, and got no further', () => {
	const unexpected = merge({ page: 4, next_page: 5 });

	test.each<[string, Fault]>([
		['contradicts itself', unexpected],
		['is no list of leads', status(200, { body: '{"ok": true}', charge: true })],
		['is not readable', { kind: 'wrongEncoding' }],
		['was lost', { kind: 'loseAfterAnswer' }],
	])(
		'as by an answer that %s, the next asks in an hour, then one a day, and says so',
		async (_, fault) => {
			const { poll, workflow, requests, addFault } = await open({ options: { maxRetries: 0 } });
			await poll();
			const lasting = addFault({ ...fault, times: 'always' });
			const askOnce = async () => {
				const { length } = requests();
				await poll().catch(() => undefined);
				expect(requests()).toHaveLength(length + 1);
				expect(workflow.warnings.join()).toContain('Polls send nothing until');
				for (let polls = 0; polls < 3; polls++) {
					if (polls === 1) await workflow.restart();
					if (polls === 2) workflow.publish(undefined, 'activate');
					expect(await poll()).toEqual([]);
				}
				expect(requests()).toHaveLength(length + 1);
			};
			await askOnce();
			pass(1);
			await askOnce();
			pass(21);
			expect(await poll()).toEqual([]);
			pass(3);
			await askOnce();
			lasting.remove();
			pass(24);
			expect(await poll()).toEqual(people.slice(20, 40));
			expect(await poll()).toEqual(people.slice(40, 60));
		},
	);

	test('what was charged comes out', async () => {
		const { poll, addFault, spent } = await open();
		addFault(unexpected);
		expect(await poll()).toEqual(people.slice(0, 20));
		expect(spent()).toBe(20);
	});

	test('a new search begins at once', async () => {
		const { poll, publish, addFault } = await open();
		addFault(unexpected);
		await poll();
		publish({ filters: { personLocationCountry: 'Germany' } });
		expect(await poll()).toHaveLength(20);
	});

	test('a test in the editor asks whenever somebody wants to know, and polls go on once it goes well', async () => {
		const { poll, addFault, workflow } = await open({ options: { maxRetries: 0 } });
		const fault = addFault({ kind: 'wrongEncoding', times: 'always' });
		await expect(poll()).rejects.toThrow('not readable');
		await expect(poll('manual')).rejects.toThrow('not readable');
		fault.remove();
		expect(await poll()).toEqual([]);
		expect(await poll('manual')).toEqual(people.slice(0, 1));
		expect(await poll()).toEqual(people.slice(0, 20));
		expect(workflow.infos.at(-1)).toContain('20 leads for 19 credits');
	});
});

describe('Where new leads come first', () => {
	test('an old one that comes at the end is given to nobody, and asked for once a day', async () => {
		const { poll, spent, addFault, grow, requests } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		grow(35);
		const [old] = people.slice(25);
		// The list has grown by five at its start, so that the lead of row 25 stands at row 30 now.
		const moved = { preview_data: [{ linkedin_url: old, full_name: 'Of row 25' }] };
		const lasting = addFault({ ...merge(moved), page: 31, perPage: 1, times: 'always' });
		const before = { credits: spent(), requests: requests().length };
		const told = "'new' leads at its end are old ones: the lead that came was delivered before";
		await expect(poll()).rejects.toThrow(told);
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(before.credits + 1);
		expect(requests()).toHaveLength(before.requests + 1);
		await expect(poll('manual')).rejects.toThrow(told);
		pass(24);
		await expect(poll()).rejects.toThrow(told);
		lasting.remove();
		pass(24);
		expect(await poll()).toEqual(people.slice(30, 35));
	});

	test('so are those that come behind a new one, and the new ones are delivered', async () => {
		const { poll, spent, addFault, grow, workflow } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		grow(45);
		// It has grown by 15 at its start: behind the new lead at row 30 stand those that were at rows 16 to 29.
		const moved = people.slice(16, 30).map((linkedin_url) => ({ linkedin_url }));
		addFault({ ...merge({ preview_data: moved.slice(0, 1) }), page: 32, perPage: 1 });
		addFault({ ...merge({ preview_data: moved.slice(1) }), page: 3, perPage: 16 });
		expect(await poll()).toEqual(people.slice(30, 31));
		expect(workflow.told.at(-1)).toContain('14 leads that came were delivered before');
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(45);
	});

	test('it is known as old, too, where the first answer to the question was lost', async () => {
		const { poll, addFault, grow } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		grow(35);
		const moved = { preview_data: [{ linkedin_url: people[25], full_name: 'Of row 25' }] };
		const atEnd = { page: 31, perPage: 1 };
		addFault({ kind: 'loseAfterAnswer', ...atEnd });
		addFault({ ...merge(moved), ...atEnd, times: 'always' });
		await expect(poll()).rejects.toThrow("'new' leads at its end are old ones");
	});

	test('what has come since is delivered, too, where the first answer was lost', async () => {
		const { poll, addFault, grow } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 3; polls++) await poll();
		grow(45);
		addFault(status(504, { page: 31, perPage: 1 }));
		expect(await poll()).toEqual(people.slice(30, 45));
	});

	test('a word in place of an address, as in all rows, makes no new lead an old one', async () => {
		const { workflow, poll, addFault, grow, spent } = await open({}, { leads: 30 });
		for (let polls = 0; polls < 2; polls++) await poll();
		for (const row of [31, 32]) {
			grow(row);
			const lead = { linkedin_url: 'N/A', full_name: `Of row ${row}` };
			addFault({ ...merge({ preview_data: [lead] }), page: row, perPage: 1, times: 'always' });
			expect(await poll()).toEqual(['N/A']);
		}
		expect(spent()).toBe(32);
		expect(workflow.warnings).toEqual([]);
	});
});

describe('Max Credits per Day', () => {
	test('holds where the time zone changes, or the clock is set back', async () => {
		fakeDates(Date.parse('2027-01-14T20:00:00Z'));
		const { poll, workflow, spent } = await open({ maxCreditsPerDay: 20 });
		expect(await poll()).toHaveLength(20);
		// There, it is the day before.
		for (const zone of ['America/New_York', TIME_ZONE, 'America/New_York', TIME_ZONE]) {
			workflow.setTimeZone(zone);
			expect(await poll()).toEqual([]);
		}
		pass(24);
		expect(await poll()).toHaveLength(20);
		pass(-24);
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(40);
	});

	test.each(['DEFAULT', 'GMT+2'])('is for a day in UTC where the time zone is %s', async (zone) => {
		fakeDates(Date.parse('2027-01-14T20:00:00Z'));
		const { poll, workflow } = await open({ maxCreditsPerDay: 20 });
		workflow.setTimeZone(zone);
		for (const leads of [20, 0]) expect(await poll()).toHaveLength(leads);
		expect(workflow.copies()).toMatchObject({ ofNode: { searches: [{ day: '2027-01-14' }] } });
	});
});

test('what was spent counts, and no lead is passed over, whatever is thrown on the way', async () => {
	const { poll, spent } = await open({
		leadsPerPoll: 50,
		maxCreditsPerDay: 70,
		options: { pageSize: 25 },
	});
	jest.spyOn(LeadList.prototype, 'rowsBetween').mockImplementationOnce(() => {
		throw new RangeError('Invalid string length');
	});
	await expect(poll()).rejects.toThrow('Invalid string length');
	pass(1);
	expect(await poll()).toEqual(people.slice(0, 20));
	expect(await poll()).toEqual([]);
	expect(spent()).toBe(70);
});

test('other filters start a new search, with a warning; the third time within 24 hours is refused', async () => {
	const { poll, publish, workflow, spent } = await open();
	await poll();
	const search = (country: string) => {
		publish({ filters: { personLocationCountry: country }, leadsPerPoll: 5 });
	};
	for (const country of ['Germany', 'France']) {
		search(country);
		expect(await poll()).toEqual(urlsMatching({ person_location_country: [country] }).slice(0, 5));
		expect(workflow.warnings.at(-1)).toBe(`${PREFIX}a new search, from lead 1`);
	}
	search('Spain');
	await expect(poll()).rejects.toThrow('The filters have changed three times within 24 hours');
	expect(spent()).toBe(30);
	pass(25);
	expect(await poll()).toHaveLength(5);
});

describe('The place', () => {
	const germany = { filters: { personLocationCountry: 'Germany' } };
	const germans = urlsMatching({ person_location_country: ['Germany'] });

	test('of a former search is where that one stopped', async () => {
		const { poll, publish } = await open();
		await poll();
		publish(germany);
		expect(await poll()).toEqual(germans.slice(0, 20));
		publish({});
		expect(await poll()).toEqual(people.slice(20, 40));
		publish(germany);
		expect(await poll()).toEqual(germans.slice(20, 40));
	});

	test.each<[string, INodeParameters]>([
		['Email Status added and left at All', { emailStatus: 'all' }],
		['a country written twice', { personLocationCountry: 'Iceland, Iceland' }],
		['a list of texts written twice', { personLocationCountry: ['Iceland', 'Iceland'] }],
	])('is the same with %s', async (_, changed) => {
		const { poll, publish, workflow } = await open();
		await poll();
		publish({ filters: { personLocationCountry: 'Iceland', ...changed } });
		expect(await poll()).toEqual(people.slice(20, 40));
		expect(workflow.warnings).toEqual([]);
	});

	test('belongs to the workflow: another node, under another name and id, goes on, also of what may be spent', async () => {
		const { poll, workflow } = await open({ maxCreditsPerDay: 40 });
		await poll();
		workflow.replace('another node', 'Another');
		workflow.forget();
		expect(await poll()).toEqual(people.slice(20, 40));
		workflow.replace('a third');
		expect(await poll()).toEqual([]);
	});

	test.each([{ instance: 'another' }, { workflow: 'another' }])(
		'is not that of %j: the search begins at the first lead',
		async (other) => {
			const { poll, workflow } = await open();
			await poll();
			workflow.setCopies(workflow.copies(), workflow.keyOf(other));
			workflow.forget();
			expect(await poll()).toEqual(people.slice(0, 20));
		},
	);

	test('that a later version has saved buys nothing, and says how to begin anew', async () => {
		const { poll, workflow, requests } = await open();
		await poll();
		const { ofNode } = workflow.copies();
		const later = { ...(ofNode as object), version: 3 };
		workflow.setCopies({ ofNode: later, ofWorkflow: later });
		workflow.forget();
		const { length } = requests();
		for (const mode of [undefined, 'manual'] as const)
			await expect(poll(mode)).rejects.toMatchObject({
				message: "The trigger's saved place can't be read, so nothing was fetched",
				description: containing("set 'Skip' (under Options) of its trigger"),
			});
		expect(requests()).toHaveLength(length);
		expect(workflow.copies().ofNode).toEqual(later);
	});
});

describe('An activation', () => {
	test.each(['init', 'leadershipChange', 'activate', 'update'] as const)(
		'(%s) costs nothing where the search has a place',
		async (mode) => {
			const { poll, workflow, spent } = await open();
			await poll();
			workflow.publish(undefined, mode);
			expect(await workflow.pollOnce()).toEqual([]);
			expect(spent()).toBe(20);
			expect(await poll()).toEqual(people.slice(20, 40));
		},
	);

	test('polls at once for a search that has none', async () => {
		const { poll, workflow, publish } = await open();
		workflow.publish(undefined, 'init');
		expect(await workflow.pollOnce()).toHaveLength(20);
		publish({ filters: { personLocationCountry: 'Germany' } });
		expect(await workflow.pollOnce()).toHaveLength(20);
		publish({});
		expect(await workflow.pollOnce()).toEqual([]);
		expect(await poll()).toEqual(people.slice(20, 40));
	});

	test.each<[string, Fault, string]>([
		['401', status(401), 'not accepted'],
		['402', status(402), 'Not enough'],
		['404', status(404), "doesn't look like"],
		['503', status(503), 'not answering'],
	])('never fails: a %s is told to n8n, and tried at the next poll', async (_, fault, message) => {
		const { poll, workflow, addFault } = await open({ options: { maxRetries: 0 } });
		addFault(fault);
		await expect(workflow.pollOnce()).rejects.toThrow(message);
		expect(workflow.told).toEqual([containing(message)]);
		// By the schedule it is thrown, so that n8n waits as the error declares.
		addFault(fault);
		await expect(poll()).rejects.toThrow(message);
		expect(workflow.told).toHaveLength(1);
		expect(await poll()).toEqual(people.slice(0, 20));
	});
});

describe('What a poll hands over while somebody publishes', () => {
	test('is thrown away by n8n, and delivered by the next poll for nothing', async () => {
		const { poll, workflow, spent } = await open();
		await poll();
		await workflow.pollInVain();
		pass(0.1);
		expect(await poll()).toEqual(people.slice(20, 40));
		expect(spent()).toBe(40);
		expect(workflow.warnings).toEqual([
			`${PREFIX}n8n has not saved what the poll before handed over: its leads come once more, for 0 credits`,
		]);
		expect(await poll()).toEqual(people.slice(40, 60));
		expect(spent()).toBe(60);
	});

	test('is delivered also where that is thrown away in turn, hours later, at a maximum, and once the search is back', async () => {
		const { poll, publish, workflow, spent } = await open({ maxCreditsPerDay: 40 });
		for (let times = 0; times < 2; times++) {
			await workflow.pollInVain();
			pass(5);
		}
		publish({ filters: { personLocationCountry: 'Germany' }, maxCreditsPerDay: 40 });
		expect(await poll()).toEqual(
			urlsMatching({ person_location_country: ['Germany'] }).slice(0, 20),
		);
		expect(spent()).toBe(40);
		publish({ maxCreditsPerDay: 40 });
		expect(await poll()).toEqual(people.slice(0, 20));
		expect(await poll()).toEqual([]);
		expect(spent()).toBe(40);
	});
});
