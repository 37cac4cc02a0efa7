/**
 * Many polls of one trigger at a service that the design supports, whatever happens between them: the
 * leads come in order, each once, each credit is told, no ceiling is passed. The service's ledger
 * decides. Only the date is not real: it is set, and waits end at once.
 */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { urlsMatching, type FaultAction } from '../../sandbox/service';
import { namedSizes } from '../paging/services';
import { between as rows, expectMet, of, RUNS } from '../seed';
import { fakeDates, createTrigger, TIME_ZONE, type CursorCopies } from './pollCore';
import { continueOnError, status, useService } from './useService';

const SEQUENCES = Math.max(20, Math.round(RUNS / 60));
const HOUR_MS = 3_600_000;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();

const MOST_LEADS = 150;
const peopleIn = (...countries: string[]) => {
	const people = urlsMatching({ person_location_country: countries });
	return { countries, people: people.slice(0, MOST_LEADS + 30) };
};
const SEARCHES = [
	peopleIn('Iceland', 'Spain'),
	peopleIn('Germany', 'France'),
	peopleIn('Canada', 'Iceland'),
] as const;

const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, arbitrary);

const headers = { 'retry-after': '0' };
const fault = of<FaultAction>(
	...[401, 402, 429, 500, 502, 503, 504].map((code) => status(code, { headers })),
	status(504, { headers, charge: true }),
	...(['loseBeforeAnswer', 'loseAfterAnswer', 'loseMidAnswer'] as const).map((kind) => ({ kind })),
	{ kind: 'notJson', charge: true },
	{ kind: 'wrongEncoding' },
	{ kind: 'status', status: 200, body: '{"success": false, "message": "No"}' },
);

/** What doesn't start a new search, whatever it is set to. */
const settings = fc.record({
	leadsPerPoll: rows(1, 60),
	simplify: fc.boolean(),
	maxCreditsPerDay: fc.oneof(fc.constant(0), rows(1, 80)),
	includePhones: fc.boolean(),
	pageSize: rows(3, 100),
	maxRetries: fc.nat({ max: 2 }),
	maxCreditsInTotal: seldom(rows(1, 160)),
});

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const event = fc.oneof(
	{ arbitrary: of({ kind: 'nothing' as const }), weight: 3 },
	{ arbitrary: fc.record({ kind: of('settings' as const), settings }), weight: 2 },
	of({ kind: 'restart' as const }, { kind: 'copy' as const }),
	fc.record({ kind: of('replace' as const), id: fc.boolean(), name: fc.boolean() }),
	{
		arbitrary: fc.record({ kind: of('inVain' as const), isDiscardedDataSaved: fc.boolean() }),
		weight: 3,
	},
	{ arbitrary: of({ kind: 'test' as const }), weight: 2 },
	fc.record({ kind: of('search' as const), skip: rows(0, 60), limit: rows(1, 15) }),
	fc.record({ kind: of('stale' as const), age: fc.nat(), nodeCopy: fc.boolean() }),
	fc.record({ kind: of('topUp' as const), credits: rows(0, 120) }),
	fc.record({ kind: of('hours' as const), hours: rows(-50, 30) }),
	fc.record({ kind: of('wrongClock' as const), days: of(-400, -1, 1, 2, 5, 1_300) }),
	{
		arbitrary: fc.record({ kind: of('filters' as const), index: of<0 | 1 | 2>(0, 1, 2) }),
		weight: 5,
	},
);

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const scenario = fc.record({
	isDurable: fc.boolean(),
	readings: namedSizes,
	leads: fc.nat({ max: MOST_LEADS }),
	balance: fc.oneof(fc.constant(10_000), fc.nat({ max: 150 })),
	skip: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, rows(1, 40)),
	settings,
	steps: fc.array(
		fc.record({
			event,
			faults: fc.array(fc.record({ nthRequest: rows(1, 4), fault }), { maxLength: 2 }),
		}),
		{ minLength: 6, maxLength: 16 },
	),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;
type Faults = Scenario['steps'][number]['faults'];

const tally = {
	polls: 0,
	faults: 0,
	failed: 0,
	ceilings: 0,
	tests: 0,
	searches: 0,
	again: 0,
	former: 0,
	copies: 0,
	wrongClocks: 0,
};

/** Why n8n polls: by the schedule, at its start, or so that it throws away what the poll returns. */
type Occasion = 'schedule' | 'start' | 'inVain';

/** Of a search whether n8n knows it, where it is, what it may have cost, and what may come for nothing. */
const begin = (search: (typeof SEARCHES)[number]) => ({
	...search,
	isKnown: false,
	place: 0,
	inTotal: 0,
	free: new Set<unknown>(),
});

type Trigger = Awaited<ReturnType<typeof createTrigger>>;

class Sequence {
	private readonly searches = [begin(SEARCHES[0]), begin(SEARCHES[1]), begin(SEARCHES[2])] as const;
	/** That of the filters, and the one that ran last. */
	private search: ReturnType<typeof begin> = this.searches[0];
	private last = this.search;
	private readonly ofDay: Record<string, number> = {};
	private names = 0;
	private settings: Partial<Settings>;
	private leads: number;
	private readonly workflow: Trigger['workflow'];
	/** Places as they were after the polls since the node got its name. */
	private history: CursorCopies[] = [];
	private isStale = false;
	/** Whether the last poll that saved a place had no leads. */
	private isWithoutLeads = false;
	/** What n8n has thrown away. */
	private undelivered: unknown[] = [];

	constructor(
		private readonly scenario: Scenario,
		private readonly customer: Trigger,
	) {
		this.settings = scenario.settings;
		this.leads = scenario.leads;
		this.workflow = customer.workflow;
		if (scenario.isDurable) this.workflow.enableDurableCursors();
		this.publish();
	}

	private get people(): string[] {
		return this.search.people.slice(this.scenario.skip, this.leads);
	}

	private publish(): void {
		const { leadsPerPoll, simplify, maxCreditsPerDay, ...others } = this.settings;
		const written = { ...others, skip: this.scenario.skip };
		const options = JSON.parse(JSON.stringify(written)) as INodeParameters;
		const polled = { leadsPerPoll, simplify, maxCreditsPerDay };
		this.workflow.publish({ filters: this.filters, ...polled, options });
	}

	private get filters(): INodeParameters {
		const { simplify, includePhones } = this.settings;
		const { countries } = this.search;
		// Neither their order counts, nor a country that is there twice, nor a filter at its default.
		const personLocationCountry = simplify ? countries : [...countries, ...countries].reverse();
		return { personLocationCountry, ...(includePhones === true && { emailStatus: 'all' }) };
	}

	async happen(drawn: Event): Promise<void> {
		const { workflow } = this;
		if (drawn.kind === 'test') await this.test();
		if (drawn.kind === 'search') await this.buy(drawn);
		if (drawn.kind === 'restart') await this.poll([], 'start');
		if (drawn.kind === 'copy') await this.copy();
		if (drawn.kind === 'wrongClock') await this.pollAtWrongTime(drawn.days * 24 * HOUR_MS);
		if (drawn.kind === 'stale') this.setBack(drawn);
		if (drawn.kind === 'topUp') this.customer.account.apiCredits += drawn.credits;
		if (drawn.kind === 'hours') jest.setSystemTime(Date.now() + drawn.hours * HOUR_MS);
		if (drawn.kind === 'replace' && !this.isStale) this.replace(drawn);
		if (drawn.kind === 'inVain' && !this.isStale) {
			workflow.isDiscardedDataSaved = drawn.isDiscardedDataSaved;
			await this.poll([], 'inVain');
		}
		if (drawn.kind === 'settings') this.settings = drawn.settings;
		if (drawn.kind === 'filters') this.search = this.searches[drawn.index];
		if (drawn.kind === 'settings' || drawn.kind === 'filters') this.publish();
	}

	/** A renamed node, or another one in its place, goes on; with an old copy in one place, the other is right. */
	private replace(another: { id: boolean; name: boolean }): void {
		// Durable cursors belong to a node; n8n saves the workflow's copy with leads alone, also where nobody gets them.
		const isSaved = !this.isWithoutLeads && this.undelivered.length === 0;
		if (this.scenario.isDurable && another.id && !isSaved) return;
		this.names += 1;
		this.workflow.replace({
			...(another.id && { id: `node ${this.names}` }),
			// It may be one that the node had before.
			...(another.name && { name: `Leads ${this.names % 3}` }),
		});
		this.history = [];
	}

	/** A copy of the workflow begins at the first lead, whatever data came along. */
	private async copy(): Promise<void> {
		const { workflow, customer } = this;
		const copy = await customer.copy();
		copy.setCopies(workflow.copies(), workflow.key);
		const items = await copy.poll().catch(() => []);
		expect(items.map(({ json }) => json.linkedin_url)).toEqual(this.people.slice(0, items.length));
		if (items.length > 0) tally.copies += 1;
	}

	private async pollAtWrongTime(offset: number): Promise<void> {
		const now = Date.now();
		jest.setSystemTime(now + offset);
		await this.poll([]);
		// A poll has taken its time.
		jest.setSystemTime(now + 60_000);
		tally.wrongClocks += 1;
	}

	private setBack({ age, nodeCopy }: { age: number; nodeCopy: boolean }): void {
		const { workflow, history } = this;
		const old = history[age % Math.max(1, history.length)];
		const now = workflow.copies();
		// Renamed just now, the node has no copy of its own to go on from; durable ones are not set back.
		if (!old || this.isStale || now.nodeCopy === undefined || this.scenario.isDurable) return;
		workflow.setCopies(
			nodeCopy ? { ...now, nodeCopy: old.nodeCopy } : { ...old, nodeCopy: now.nodeCopy },
		);
		workflow.clearMemory();
		this.isStale = true;
	}

	/** A test in the editor shows the next lead for one credit at most, and changes nothing. */
	private async test(): Promise<void> {
		const { workflow, people, search, customer } = this;
		const before = workflow.copies();
		const spent = customer.spent();
		const items = await workflow.poll('manual').catch(() => []);
		expect(workflow.copies()).toEqual(before);
		expect(customer.spent() - spent).toBeLessThanOrEqual(1);
		if (items.length === 0) return;
		const [url] = items.map(({ json }) => json.linkedin_url);
		expect(url).toBe(people[search.place]);
		search.free.add(url);
		tally.tests += 1;
	}

	/** Leads that a node has bought come for nothing once it is their turn. */
	private async buy({ skip, limit }: { skip: number; limit: number }): Promise<void> {
		const { customer, filters, search, settings, workflow } = this;
		const options = { skip, maxRetries: 0, includePhones: settings.includePhones === true };
		const how = { credentialId: workflow.credentialId, ...continueOnError };
		const { urls } = await customer.search({ filters, limit, options }, how);
		for (const url of urls) search.free.add(url);
		tally.searches += urls.length;
	}

	async poll(faults: Faults, occasion: Occasion = 'schedule'): Promise<number> {
		const { customer, workflow, search, scenario } = this;
		const before = { copies: workflow.copies(), spent: customer.spent() };
		const sent = customer.requests().length;
		const remove = customer.addFaults(faults);
		workflow.infos.length = 0;
		workflow.warnings.length = 0;
		const polled = {
			schedule: () => workflow.poll(),
			start: () => workflow.restart(),
			inVain: () => workflow.pollAndDiscard(),
		}[occasion]();
		let error = '';
		const leads = await polled.catch((thrown: unknown) => {
			error = String(thrown);
			return [];
		});
		await shared.service.admin.idle();
		remove();
		const urls = leads.map(({ json }) => json.linkedin_url);
		const spent = customer.spent() - before.spent;
		const requests = customer.requests().slice(sent);
		const lines = [...workflow.infos, ...workflow.warnings].join('\n');
		tally.polls += 1;
		tally.faults += requests.flatMap(({ faults: kinds }) => kinds).length;
		if (error !== '') tally.failed += 1;
		if (lines.includes(' is spent')) tally.ceilings += 1;

		expect(`${error}${lines}`).not.toContain('unexpected');
		if (this.undelivered.length > 0) {
			// They come again for 0 credits, and perhaps others after them.
			expect(urls.slice(0, this.undelivered.length)).toEqual(this.undelivered);
			tally.again += 1;
		}
		if (occasion === 'start' && (scenario.isDurable || search.isKnown)) {
			expect([urls, spent, requests]).toEqual([[], 0, []]);
			return 0;
		}
		// A search starts at its first lead where it is new, and only there; else it goes on.
		expect(/ starts at lead \d+$/m.test(lines)).toBe(!search.isKnown);
		if (JSON.stringify(workflow.savedCopies) !== JSON.stringify(before.copies)) {
			this.isStale = false;
			this.isWithoutLeads = urls.length === 0;
			if (search.isKnown && this.last !== search) tally.former += 1;
			search.isKnown = true;
			this.last = search;
		} else expect(spent + urls.length).toBe(0);
		const bought = urls.filter((url) => !search.free.has(url)).length;
		this.checkCost(spent, lines, urls.length, bought);
		for (const url of urls) search.free.add(url);

		expect(urls).toEqual(this.people.slice(search.place, search.place + urls.length));
		this.history.push(workflow.copies());
		this.undelivered = occasion === 'inVain' ? urls : [];
		if (occasion !== 'inVain') search.place += urls.length;
		if (occasion !== 'inVain') return urls.length;
		// Until then n8n has saved whatever it saves of the poll.
		jest.setSystemTime(Date.now() + 60_000);
		return 0;
	}

	/** Every credit is told, and no ceiling is passed. */
	private checkCost(spent: number, lines: string, leads: number, bought: number): void {
		const { search, ofDay } = this;
		const { leadsPerPoll = 0, maxCreditsPerDay, maxCreditsInTotal = Infinity } = this.settings;
		const [, charged = '0', atRisk = '0'] =
			/for (\d+) credits?(?:; up to (\d+) credits?)?/.exec(lines) ?? [];
		expect(spent).toBeGreaterThanOrEqual(Number(charged));
		expect(spent).toBeLessThanOrEqual(Number(charged) + Number(atRisk));
		expect(leads).toBeLessThanOrEqual(leadsPerPoll);
		expect(bought).toBeLessThanOrEqual(Number(charged));
		// The last page that comes again is paid for again, what n8n has thrown away is not.
		if (this.scenario.readings.afterLast !== 'lastPage')
			expect(Number(charged)).toBeLessThanOrEqual(leads - this.undelivered.length);

		if (spent === 0) return;
		const day = new Date().toLocaleDateString('en-CA', { timeZone: TIME_ZONE });
		const mostToday = maxCreditsPerDay === 0 ? Infinity : (maxCreditsPerDay ?? 1_000);
		search.inTotal += spent;
		ofDay[day] = (ofDay[day] ?? 0) + spent;
		expect(ofDay[day]).toBeLessThanOrEqual(mostToday);
		expect(search.inTotal).toBeLessThanOrEqual(maxCreditsInTotal);
	}

	/** Without faults and ceilings, what has not been delivered comes, and nothing else. */
	async finish(): Promise<void> {
		const { account } = this.customer;
		account.apiCredits = 10_000;
		this.settings = { leadsPerPoll: 25, maxRetries: 0, maxCreditsPerDay: 0 };
		this.publish();
		for (const more of [0, 30]) {
			// Where the question for more costs a credit, it is asked once a day; clocks that were set back have caught up.
			jest.setSystemTime(Date.now() + 1_000 * HOUR_MS);
			this.leads += more;
			shared.service.admin.setBehaviour(account.id, { leads: this.leads });
			// A search that a service refuses to go on with goes on with the next poll.
			while ((await this.poll([])) + (await this.poll([])) > 0);
			expect(this.search.place).toBe(this.people.length);
		}
	}
}

async function check(drawn: Scenario): Promise<void> {
	jest.setSystemTime(new Date('2026-11-22T09:30:00Z'));
	const { balance: apiCredits, leads, readings } = drawn;
	const customer = await createTrigger(shared, {}, { apiCredits, leads, readings });
	const sequence = new Sequence(drawn, customer);
	for (const { event: happening, faults } of drawn.steps) {
		await sequence.happen(happening);
		await sequence.poll(faults);
	}
	await sequence.finish();
}

beforeAll(() => {
	fakeDates();
});
afterAll(() => {
	jest.useRealTimers();
});

test(`each lead is delivered once and each credit is reported, in ${SEQUENCES} random sequences of polls`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	// Without any of these, there would be nothing to find.
	for (const met of Object.values(tally)) expectMet(met, SEQUENCES / 20, SEQUENCES);
});
