/**
 * Many polls of one trigger at a service that the design supports, whatever happens between them: the
 * leads come in order, each once, each credit is told, no ceiling is passed. The service's ledger
 * decides. Only the date is not real: it is set, and waits end at once.
 */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import {
	leadAt,
	matching,
	type Account,
	type FaultAction,
	type Readings,
} from '../../sandbox/service';
import { expectMet, RUNS } from '../seed';
import { PolledWorkflow, TIME_ZONE, type CursorCopies } from './pollCore';
import { useService } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const SEQUENCES = Math.max(10, Math.round(RUNS / 60));
const HOUR_MS = 3_600_000;

jest.setTimeout(Math.max(300_000, SEQUENCES * 3_000));

const shared = useService();

/** Searches that differ in what selects leads. */
const SEARCHES = [
	['Iceland', 'Spain'],
	['Germany', 'France'],
	['Canada', 'Iceland'],
];
const MOST_LEADS = 150;
const PEOPLE = SEARCHES.map((countries) =>
	Array.from(
		matching({ person_location_country: countries }).subarray(0, MOST_LEADS),
		(lead) => leadAt(lead).linkedin_url,
	),
);

const rows = (min: number, max: number) => fc.integer({ min, max });
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
	fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, arbitrary);

const of = <T>(...values: T[]) => fc.constantFrom(...values);

const readings: fc.Arbitrary<Partial<Readings>> = fc.record(
	{
		pageSize: of(25, 30, 60),
		tooLarge: of<Readings['tooLarge']>(400, 413, 422),
		perPage: of<Readings['perPage']>('asked', 'rowsOnLastPage'),
		missing: fc.subarray<Readings['missing'][number]>([
			'page',
			'per_page',
			'has_more',
			'next_page',
		]),
		// An empty page means this only after a page that came short, which not every poll meets.
		zeroBalance: of<Readings['zeroBalance']>('refusesAll'),
		maxResults: of<Readings['maxResults']>('totalCount'),
		afterLast: of<Readings['afterLast']>('lastPage', 400, 404, 422),
		rowsAt: of<Readings['rowsAt']>('data', 'bareArray'),
		noRows: of<Readings['noRows']>('null', 'missing'),
	},
	{ requiredKeys: [] },
);

const retryAtOnce = { 'retry-after': '0' };
const fault: fc.Arbitrary<FaultAction> = fc.oneof(
	fc.constantFrom(401, 402, 429, 500, 502, 503, 504).map((status): FaultAction => ({
		kind: 'status',
		status,
		headers: retryAtOnce,
	})),
	fc.constantFrom<FaultAction>(
		{ kind: 'loseBeforeAnswer' },
		{ kind: 'loseAfterAnswer' },
		{ kind: 'loseMidAnswer' },
		{ kind: 'status', status: 504, headers: retryAtOnce, charge: true },
		{ kind: 'notJson', charge: true },
		{ kind: 'wrongEncoding' },
		{ kind: 'raw', body: '{"success": false, "message": "No"}' },
	),
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

/** What happens before a poll. */
const event = fc.oneof(
	{ arbitrary: fc.constant({ kind: 'nothing' as const }), weight: 3 },
	{ arbitrary: fc.record({ kind: fc.constant('settings' as const), settings }), weight: 2 },
	fc.constantFrom(
		{ kind: 'rename' as const },
		{ kind: 'restart' as const },
		/** n8n ends before it saves what polls without leads have changed. */
		{ kind: 'restartUnsaved' as const },
	),
	fc.constant({ kind: 'test' as const }),
	fc.record({ kind: fc.constant('stale' as const), age: fc.nat(), ofNode: fc.boolean() }),
	fc.record({ kind: fc.constant('topUp' as const), credits: rows(0, 120) }),
	fc.record({ kind: fc.constant('hours' as const), hours: rows(1, 30) }),
	fc.record({
		kind: fc.constant('filters' as const),
		search: fc.nat({ max: SEARCHES.length - 1 }),
	}),
);

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const scenario = fc.record({
	readings,
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

const tally = { sequences: 0, whole: 0, polls: 0, faults: 0, failed: 0, ceilings: 0, tests: 0 };

/** What is known of the search whose cursor n8n has. */
interface Known {
	search?: number;
	/** Leads delivered of it. */
	place: number;
	/** Credits, those that may have been charged included: of the search, and of each day. */
	inTotal: number;
	ofDay: Record<string, number>;
}

class Sequence {
	private known: Known = { place: 0, inTotal: 0, ofDay: {} };
	private search = 0;
	private settings: Partial<Settings>;
	private renames = 0;
	/** Cursors as they were after the polls since the node was renamed last. */
	private history: CursorCopies[] = [];
	/** What n8n has surely saved: that of the latest poll with leads. */
	private saved = { copies: {} as CursorCopies, known: structuredClone(this.known) };
	/** Whether one of the two copies is an old one. */
	private isStale = false;

	private constructor(
		private readonly scenario: Scenario,
		private readonly account: Account,
		private readonly workflow: PolledWorkflow,
	) {
		this.settings = scenario.settings;
	}

	static async open(drawn: Scenario): Promise<Sequence> {
		const { balance: apiCredits, leads, readings } = drawn;
		const { admin, baseUrl } = shared.service;
		const account = admin.createAccount({ apiCredits, leads, readings });
		const { apiKey } = account;
		const workflow = await PolledWorkflow.create({}, { baseUrl, apiKey });
		const sequence = new Sequence(drawn, account, workflow);
		sequence.publish();
		return sequence;
	}

	/** The leads of the search that is set, in order. */
	private get people(): string[] {
		return (PEOPLE[this.search] ?? []).slice(this.scenario.skip, this.scenario.leads);
	}

	private publish(): void {
		const { leadsPerPoll, simplify, maxCreditsPerDay, ...others } = this.settings;
		const options = Object.entries<unknown>({ ...others, skip: this.scenario.skip }).filter(
			([, value]) => value !== undefined,
		);
		const countries = SEARCHES[this.search] ?? [];
		this.workflow.publish({
			filters: {
				// Their order counts for nothing.
				personLocationCountry: simplify ? countries : [...countries].reverse(),
			},
			leadsPerPoll,
			simplify,
			maxCreditsPerDay,
			options: Object.fromEntries(options) as INodeParameters,
		});
	}

	async happen(drawn: Event): Promise<void> {
		const { workflow, account } = this;
		switch (drawn.kind) {
			case 'nothing':
				return;
			case 'test':
				await this.test();
				return;
			case 'rename':
				// With an old copy in the workflow's data, the node's own is the only one that is right.
				if (this.isStale) return;
				workflow.rename(`Leads ${++this.renames}`);
				this.history = [];
				this.saved.copies = { ...this.saved.copies, ofNode: undefined };
				return;
			case 'restart':
				workflow.restart();
				return;
			case 'restartUnsaved':
				workflow.setCopies(this.saved.copies);
				workflow.restart();
				this.known = structuredClone(this.saved.known);
				this.history = [];
				this.isStale = false;
				return;
			case 'stale': {
				const old = this.history[drawn.age % Math.max(1, this.history.length)];
				const now = workflow.copies();
				// Renamed just now, the node has no copy of its own to go on from.
				if (!old || this.isStale || now.ofNode === undefined) return;
				const { ofNode, ofWorkflow } = old;
				workflow.setCopies(drawn.ofNode ? { ...now, ofNode } : { ...now, ofWorkflow });
				workflow.restart();
				this.isStale = true;
				return;
			}
			case 'topUp':
				account.apiCredits += drawn.credits;
				return;
			case 'hours':
				jest.setSystemTime(Date.now() + drawn.hours * HOUR_MS);
				return;
			case 'settings':
				this.settings = drawn.settings;
				break;
			case 'filters':
				this.search = drawn.search;
		}
		this.publish();
	}

	/** A test in the editor shows the next lead for one credit at most, and changes nothing. */
	private async test(): Promise<void> {
		const { workflow, known, people, search, account } = this;
		const before = workflow.copies();
		const spent = account.spent.apiCredits;
		const items = await workflow.poll('manual').catch(() => []);
		expect(workflow.copies()).toEqual(before);
		expect(account.spent.apiCredits - spent).toBeLessThanOrEqual(1);
		const place = known.search === search ? known.place : 0;
		if (items.length > 0) {
			expect(items.map(({ json }) => json.linkedin_url)).toEqual([people[place]]);
			tally.tests += 1;
		}
	}

	/** @returns how many leads came */
	async poll(faults: Faults): Promise<number> {
		const { account, workflow, search } = this;
		const { admin } = shared.service;
		const { id } = account;
		const added = faults.map(({ nthRequest, fault: action }) =>
			admin.addFault({ ...action, account: id, nthRequest }),
		);
		const before = { copies: workflow.copies(), spent: account.spent.apiCredits };
		const sent = admin.requests({ account: id }).length;
		const logged = { info: workflow.infos.length, warn: workflow.warnings.length };
		let error = '';
		const items = await workflow.poll().catch((thrown: unknown) => {
			error = (thrown as Error).message;
			return [];
		});
		await admin.idle();
		for (const one of added) one.remove();
		const urls = items.map(({ json }) => json.linkedin_url);
		const spent = account.spent.apiCredits - before.spent;
		const requests = admin.requests({ account: id }).slice(sent);
		const warnings = workflow.warnings.slice(logged.warn);
		const lines = [...workflow.infos.slice(logged.info), ...warnings].join('\n');
		tally.polls += 1;
		tally.faults += requests.flatMap(({ faults: kinds }) => kinds).length;
		if (error !== '') tally.failed += 1;
		if (lines.includes(' is spent')) tally.ceilings += 1;

		expect(`${error}${lines}`).not.toContain('unexpected');
		if (error.includes('changed three times within 24 hours')) {
			expect(requests).toEqual([]);
			expect(workflow.copies()).toEqual(before.copies);
			return 0;
		}
		// A search starts at its first lead where its filters are new, and only there.
		const isNew = this.known.search !== search;
		expect(/ from lead \d+$/m.test(lines)).toBe(isNew);
		if (JSON.stringify(workflow.copies()) !== JSON.stringify(before.copies)) {
			this.isStale = false;
			if (isNew) this.known = { ...this.known, search, place: 0, inTotal: 0 };
		} else expect(spent + urls.length).toBe(0);
		this.checkCost(urls.length, spent, lines);

		const { known, people } = this;
		expect(urls).toEqual(people.slice(known.place, known.place + urls.length));
		known.place += urls.length;
		this.history.push(workflow.copies());
		if (urls.length > 0) {
			this.saved = { copies: workflow.copies(), known: structuredClone(known) };
		}
		return urls.length;
	}

	/** Every credit is told, and no ceiling is passed. */
	private checkCost(leads: number, spent: number, lines: string): void {
		const { known } = this;
		const { leadsPerPoll = 0, maxCreditsPerDay, maxCreditsInTotal = Infinity } = this.settings;
		const [, charged = '0', atRisk = '0'] =
			/for (\d+) credits?(?:; up to (\d+) credits?)?/.exec(lines) ?? [];
		expect(spent).toBeGreaterThanOrEqual(Number(charged));
		expect(spent).toBeLessThanOrEqual(Number(charged) + Number(atRisk));
		expect(leads).toBeLessThanOrEqual(leadsPerPoll);
		// A test may have paid for one; the last page that comes once more is paid for once more.
		expect(leads - 1).toBeLessThanOrEqual(Number(charged));
		const { pageSize, perPage, missing = [], rowsAt, afterLast } = this.scenario.readings;
		const isNamed =
			pageSize === undefined ||
			(perPage === undefined && !missing.includes('per_page') && rowsAt !== 'bareArray');
		if (isNamed && afterLast !== 'lastPage') expect(Number(charged)).toBeLessThanOrEqual(leads);

		if (spent === 0) return;
		const day = new Date().toLocaleDateString('en-CA', { timeZone: TIME_ZONE });
		const mostToday = maxCreditsPerDay === 0 ? Infinity : (maxCreditsPerDay ?? 1_000);
		known.inTotal += spent;
		known.ofDay[day] = (known.ofDay[day] ?? 0) + spent;
		expect(known.ofDay[day]).toBeLessThanOrEqual(mostToday);
		expect(known.inTotal).toBeLessThanOrEqual(maxCreditsInTotal);
	}

	/** Without faults and ceilings, what has not been delivered comes, and nothing else. */
	async finish(): Promise<void> {
		this.account.apiCredits = 10_000;
		jest.setSystemTime(Date.now() + 25 * HOUR_MS);
		this.settings = { leadsPerPoll: 25, maxRetries: 0, maxCreditsPerDay: 0 };
		this.publish();
		while ((await this.poll([])) > 0);
		// The first one may have ended at a lead that a test had paid for.
		while ((await this.poll([])) > 0);
		expect(this.known.place).toBe(this.people.length);
		tally.whole += 1;
	}
}

async function check({ steps, ...drawn }: Scenario): Promise<void> {
	tally.sequences += 1;
	jest.setSystemTime(new Date('2026-11-22T09:30:00Z'));
	const sequence = await Sequence.open({ ...drawn, steps });
	for (const { event: happening, faults } of steps) {
		await sequence.happen(happening);
		await sequence.poll(faults);
	}
	await sequence.finish();
}

beforeAll(() => {
	const doNotFake = ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'] as const;
	jest.useFakeTimers({
		doNotFake: [...doNotFake, 'performance', 'queueMicrotask', 'setInterval', 'clearInterval'],
	});
});

afterAll(() => {
	jest.useRealTimers();
});

test(`each lead comes once and each credit is told, in ${SEQUENCES} random sequences of polls`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	process.stderr.write(`${JSON.stringify(tally)}\n`);
	// Without any of these, there would be nothing to find.
	for (const many of [tally.polls, tally.faults, tally.failed])
		expectMet(many, SEQUENCES / 2, SEQUENCES);
	for (const some of [tally.ceilings, tally.tests]) expectMet(some, SEQUENCES / 20, SEQUENCES);
	expect(tally.whole).toBe(tally.sequences);
});
