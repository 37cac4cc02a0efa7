/**
 * Tests random sequences of polls of one trigger, with random events between them, at services that the node supports.
 * Each lead is delivered once and in order, each credit is reported, and no limit is exceeded. The tests compare the polls
 * with the service's ledger. The date is set by the tests, and waits end immediately.
 */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { leadAt, urlsMatching, type FaultAction } from '../../sandbox/service';
import { namedSizes } from '../paging/services';
import { between as rows, expectMet, of, RUNS } from '../seed';
import { fakeDates, createTrigger, TIME_ZONE, type CursorCopies } from './pollCore';
import { continueOnError, status, useService } from './useService';

const SEQUENCES = Math.max(20, Math.round(RUNS / 60));
const HOUR_MS = 3_600_000;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();

const MAX_LEADS = 150;
const createList = (...countries: string[]) => {
	const urls = urlsMatching({ person_location_country: countries });
	return { countries, urls: urls.slice(0, MAX_LEADS + 30) };
};
const SEARCHES = [
	createList('Iceland', 'Spain'),
	createList('Germany', 'France'),
	createList('Canada', 'Iceland'),
] as const;

const optional = <T>(arbitrary: fc.Arbitrary<T>) =>
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

/** The parameters that don't start a new search when they change. */
const settings = fc.record({
	leadsPerPoll: rows(1, 60),
	simplify: fc.boolean(),
	maxCreditsPerDay: fc.oneof(fc.constant(0), rows(1, 80)),
	includePhones: fc.boolean(),
	pageSize: rows(3, 100),
	maxRetries: fc.nat({ max: 2 }),
	maxCreditsInTotal: optional(rows(1, 160)),
});

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const event = fc.oneof(
	{ arbitrary: of({ kind: 'nothing' as const }), weight: 3 },
	{ arbitrary: fc.record({ kind: of('settings' as const), settings }), weight: 2 },
	of({ kind: 'restart' as const }, { kind: 'copy' as const }),
	fc.record({ kind: of('replace' as const), id: fc.boolean(), name: fc.boolean() }),
	{
		arbitrary: fc.record({ kind: of('discarded' as const), isDiscardedDataSaved: fc.boolean() }),
		weight: 3,
	},
	{ arbitrary: of({ kind: 'test' as const }), weight: 2 },
	fc.record({ kind: of('search' as const), skip: rows(0, 60), limit: optional(rows(1, 15)) }),
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
	leads: fc.nat({ max: MAX_LEADS }),
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

const counters = {
	polls: 0,
	faults: 0,
	failed: 0,
	limits: 0,
	tests: 0,
	searches: 0,
	redelivered: 0,
	resumed: 0,
	copies: 0,
	wrongClocks: 0,
};

/** The occasion of a poll: the schedule, n8n's start, or a poll whose leads n8n discards. */
type Occasion = 'schedule' | 'start' | 'discarded';

/** Creates the expected state of a search: whether it has a cursor, its cursor and cost, and the leads that are free now. */
const createSearch = (search: (typeof SEARCHES)[number]) => ({
	...search,
	isKnown: false,
	cursor: 0,
	totalCost: 0,
	free: new Set<unknown>(),
});

type Trigger = Awaited<ReturnType<typeof createTrigger>>;

class Sequence {
	private readonly searches = [
		createSearch(SEARCHES[0]),
		createSearch(SEARCHES[1]),
		createSearch(SEARCHES[2]),
	] as const;
	/** The search of the current filters. */
	private search: ReturnType<typeof createSearch> = this.searches[0];
	/** The search of the last poll. */
	private last = this.search;
	private readonly dailyCosts: Record<string, number> = {};
	private nameCount = 0;
	private settings: Partial<Settings>;
	private leads: number;
	private readonly workflow: Trigger['workflow'];
	/** The copies of the cursor after each poll since the node got its name. */
	private history: CursorCopies[] = [];
	private isStale = false;
	/** The leads of the last poll, if n8n has discarded them. */
	private discardedLeads: unknown[] = [];

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

	private get urls(): string[] {
		return this.search.urls.slice(this.scenario.skip, this.leads);
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
		// The order of countries, duplicate countries and filters at their default don't start a new search.
		const personLocationCountry = simplify ? countries : [...countries, ...countries].reverse();
		return { personLocationCountry, ...(includePhones === true && { emailStatus: 'all' }) };
	}

	async handle(drawn: Event): Promise<void> {
		const { workflow } = this;
		if (drawn.kind === 'test') await this.test();
		if (drawn.kind === 'search') await this.buy(drawn);
		if (drawn.kind === 'restart') await this.poll([], 'start');
		if (drawn.kind === 'copy') await this.copy();
		if (drawn.kind === 'wrongClock') await this.pollAtWrongTime(drawn.days * 24 * HOUR_MS);
		if (drawn.kind === 'stale') this.restoreOldCopy(drawn);
		if (drawn.kind === 'topUp') this.customer.account.apiCredits += drawn.credits;
		if (drawn.kind === 'hours') jest.setSystemTime(Date.now() + drawn.hours * HOUR_MS);
		if (drawn.kind === 'replace' && !this.isStale) this.replace(drawn);
		if (drawn.kind === 'discarded' && !this.isStale) {
			workflow.isDiscardedDataSaved = drawn.isDiscardedDataSaved;
			await this.poll([], 'discarded');
		}
		if (drawn.kind === 'settings') this.settings = drawn.settings;
		if (drawn.kind === 'filters') this.search = this.searches[drawn.index];
		if (drawn.kind === 'settings' || drawn.kind === 'filters') this.publish();
	}

	/** Renames or replaces the node, which continues at its cursor. */
	private replace(another: { id: boolean; name: boolean }): void {
		// A new node has no durable cursor, and the copy of the workflow is that of before the last leads.
		if (this.scenario.isDurable && another.id) return;
		this.nameCount += 1;
		this.workflow.replace({
			...(another.id && { id: `node ${this.nameCount}` }),
			// The node may get a name that it had before.
			...(another.name && { name: `Leads ${this.nameCount % 3}` }),
		});
		this.history = [];
	}

	/** Polls in a copy of the workflow, which starts at the first lead even if it has the data of the original. */
	private async copy(): Promise<void> {
		const { workflow, customer } = this;
		const copy = await customer.copy();
		copy.setCopies(workflow.copies(), workflow.key);
		const items = await copy.poll().catch(() => []);
		expect(items.map(({ json }) => json.linkedin_url)).toEqual(this.urls.slice(0, items.length));
		if (items.length > 0) counters.copies += 1;
	}

	private async pollAtWrongTime(offset: number): Promise<void> {
		const now = Date.now();
		jest.setSystemTime(now + offset);
		await this.poll([]);
		// The clock is right again after the poll, which takes a minute.
		jest.setSystemTime(now + 60_000);
		counters.wrongClocks += 1;
	}

	private restoreOldCopy({ age, nodeCopy }: { age: number; nodeCopy: boolean }): void {
		const { workflow, history } = this;
		const old = history[age % Math.max(1, history.length)];
		const now = workflow.copies();
		// One of the two copies must stay current, and the node has none right after a rename.
		// n8n restores no old durable cursors.
		if (!old || this.isStale || now.nodeCopy === undefined || this.scenario.isDurable) return;
		workflow.setCopies(
			nodeCopy ? { ...now, nodeCopy: old.nodeCopy } : { ...old, nodeCopy: now.nodeCopy },
		);
		workflow.clearMemory();
		this.isStale = true;
	}

	/** Runs a test in the editor, which returns the next lead for at most one credit and doesn't move the cursor. */
	private async test(): Promise<void> {
		const { workflow, urls, search, customer } = this;
		const before = workflow.copies();
		const spent = customer.spent();
		const items = await workflow.poll('manual').catch(() => []);
		expect(workflow.copies()).toEqual(before);
		expect(customer.spent() - spent).toBeLessThanOrEqual(1);
		if (items.length === 0) return;
		const [url] = items.map(({ json }) => json.linkedin_url);
		expect(url).toBe(urls[search.cursor]);
		search.free.add(url);
		counters.tests += 1;
	}

	/** Buys leads with the Lead Search node, all of them without a limit. The trigger reuses them. */
	private async buy({ skip, limit }: { skip: number; limit?: number | undefined }): Promise<void> {
		const { customer, filters, search, settings, workflow } = this;
		const options = { skip, maxRetries: 0, includePhones: settings.includePhones === true };
		const runOptions = { credentialId: workflow.credentialId, ...continueOnError };
		const range = limit === undefined ? { returnAll: true } : { limit };
		const { chargedLeads } = customer.account;
		const { length } = chargedLeads;
		const { urls } = await customer.search({ filters, ...range, options }, runOptions);
		// If the service returned its last page again, the trigger also reuses leads before Skip.
		for (const lead of chargedLeads.slice(length)) search.free.add(leadAt(lead).linkedin_url);
		counters.searches += urls.length;
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
			discarded: () => workflow.pollAndDiscard(),
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
		counters.polls += 1;
		counters.faults += requests.flatMap(({ faults: kinds }) => kinds).length;
		if (error !== '') counters.failed += 1;
		if (lines.includes(' is spent')) counters.limits += 1;

		expect(`${error}${lines}`).not.toContain('unexpected');
		if (this.discardedLeads.length > 0) {
			// Discarded leads are delivered again for 0 credits, and new leads may follow them.
			expect(urls.slice(0, this.discardedLeads.length)).toEqual(this.discardedLeads);
			counters.redelivered += 1;
		}
		if (occasion === 'start' && (scenario.isDurable || search.isKnown)) {
			expect([urls, spent, requests]).toEqual([[], 0, []]);
			return 0;
		}
		// A search starts at its first lead only if it is new.
		expect(/ starts at lead \d+$/m.test(lines)).toBe(!search.isKnown);
		if (JSON.stringify(workflow.savedCopies) !== JSON.stringify(before.copies)) {
			this.isStale = false;
			if (search.isKnown && this.last !== search) counters.resumed += 1;
			search.isKnown = true;
			this.last = search;
		} else expect(spent + urls.length).toBe(0);
		const paidLeads = urls.filter((url) => !search.free.has(url)).length;
		this.checkCost(spent, lines, urls.length, paidLeads);
		for (const url of urls) search.free.add(url);

		expect(urls).toEqual(this.urls.slice(search.cursor, search.cursor + urls.length));
		this.history.push(workflow.copies());
		this.discardedLeads = occasion === 'discarded' ? urls : [];
		if (occasion !== 'discarded') search.cursor += urls.length;
		if (occasion !== 'discarded') return urls.length;
		// More than a minute later, n8n has saved the data that it saves of a discarded poll.
		jest.setSystemTime(Date.now() + 61_000);
		return 0;
	}

	/** Checks that every credit is reported and no limit is exceeded. */
	private checkCost(spent: number, lines: string, leads: number, paidLeads: number): void {
		const { search, dailyCosts } = this;
		const { leadsPerPoll = 0, maxCreditsPerDay, maxCreditsInTotal = Infinity } = this.settings;
		const [, charged = '0', possiblyCharged = '0'] =
			/for (\d+) credits?(?:; up to (\d+) credits?)?/.exec(lines) ?? [];
		expect(spent).toBeGreaterThanOrEqual(Number(charged));
		expect(spent).toBeLessThanOrEqual(Number(charged) + Number(possiblyCharged));
		expect(leads).toBeLessThanOrEqual(leadsPerPoll);
		expect(paidLeads).toBeLessThanOrEqual(Number(charged));
		// Discarded leads aren't paid for again. A repeated last page is, and so is a truncated page that starts before its row.
		const [, wasted = '0'] = /at most (\d+) leads per page/.exec(lines) ?? [];
		if (this.scenario.readings.afterLast !== 'lastPage')
			expect(Number(charged)).toBeLessThanOrEqual(
				leads - this.discardedLeads.length + Number(wasted),
			);

		if (spent === 0) return;
		const day = new Date().toLocaleDateString('en-CA', { timeZone: TIME_ZONE });
		const dailyLimit = maxCreditsPerDay === 0 ? Infinity : (maxCreditsPerDay ?? 1_000);
		search.totalCost += spent;
		dailyCosts[day] = (dailyCosts[day] ?? 0) + spent;
		expect(dailyCosts[day]).toBeLessThanOrEqual(dailyLimit);
		expect(search.totalCost).toBeLessThanOrEqual(maxCreditsInTotal);
	}

	/** Polls without faults and limits, and checks that exactly the remaining leads are delivered. */
	async finish(): Promise<void> {
		const { account } = this.customer;
		account.apiCredits = 10_000;
		this.settings = { leadsPerPoll: 25, maxRetries: 0, maxCreditsPerDay: 0 };
		this.publish();
		for (const more of [0, 30]) {
			// The time ends pauses of a day, and is later than any wrong clock.
			jest.setSystemTime(Date.now() + 1_000 * HOUR_MS);
			this.leads += more;
			shared.service.admin.setBehaviour(account.id, { leads: this.leads });
			// A poll that the service refuses may have no leads, and the next poll then has some.
			while ((await this.poll([])) + (await this.poll([])) > 0);
			expect(this.search.cursor).toBe(this.urls.length);
		}
	}
}

async function check(drawn: Scenario): Promise<void> {
	jest.setSystemTime(new Date('2026-11-22T09:30:00Z'));
	const { balance: apiCredits, leads, readings } = drawn;
	const customer = await createTrigger(shared, {}, { apiCredits, leads, readings });
	const sequence = new Sequence(drawn, customer);
	for (const { event: drawnEvent, faults } of drawn.steps) {
		await sequence.handle(drawnEvent);
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
	// A kind of event that never occurs isn't tested.
	for (const count of Object.values(counters)) expectMet(count, SEQUENCES / 20, SEQUENCES);
});
