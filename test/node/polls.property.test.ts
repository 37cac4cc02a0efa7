/**
 * Many polls of one trigger, whatever happens between them: each lead is delivered once, each credit
 * is accounted for, no ceiling is passed. The ledger of the service decides. Only the date is not
 * real here: it is set, and waits end at once.
 */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import {
	leadAt,
	matching,
	type Account,
	type Behaviour,
	type FaultAction,
} from '../../sandbox/service';
import { expectMet, RUNS } from '../seed';
import { PolledWorkflow, TIME_ZONE, type CursorCopies } from './pollCore';
import { behaviour as usualBehaviour, fault, told } from './randomService';
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

/** What a single lead search can also do: pages below the documented size, and answers without rows. */
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
	{ arbitrary: usualBehaviour, weight: 4 },
	fc.record({ clampPerPage: rows(5, 60), echoesPerPage: fc.boolean() }),
	fc.record({
		refusesPerPageAbove: fc.record({
			size: rows(25, 60),
			status: fc.constantFrom(400 as const, 413 as const, 422 as const),
		}),
		omitsRowFields: fc.subarray(['full_name', 'work_email', 'personal_emails']),
	}),
	fc.record({ answerShape: fc.constantFrom('emptyBody' as const, 'html' as const) }),
);

/** What doesn't start a new search, whatever it is set to. */
const settings = fc.record({
	leadsPerPoll: rows(1, 60),
	simplify: fc.boolean(),
	whenExhausted: fc.constantFrom('stop' as const, 'stop' as const, 'startOver' as const),
	includeEmails: fc.boolean(),
	includePhones: fc.boolean(),
	includeRaw: fc.boolean(),
	pageSize: rows(3, 100),
	maxRetries: fc.nat({ max: 2 }),
	maxCredits: seldom(rows(1, 40)),
	maxCreditsPerDay: seldom(rows(1, 80)),
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
		{ kind: 'reorder' as const },
	),
	fc.record({
		kind: fc.constantFrom('staleNode' as const, 'staleWorkflow' as const),
		age: fc.nat(),
	}),
	fc.record({ kind: fc.constant('topUp' as const), credits: rows(0, 120) }),
	fc.record({ kind: fc.constant('hours' as const), hours: rows(1, 30) }),
	fc.record({
		kind: fc.constant('filters' as const),
		search: fc.nat({ max: SEARCHES.length - 1 }),
	}),
);

type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

const step = fc.record({
	event,
	mode: fc.oneof(
		{ arbitrary: fc.constant('trigger' as const), weight: 6 },
		fc.constant('manual' as const),
	),
	faults: fc.oneof(
		{
			arbitrary: fc.constant<Array<{ nthRequest: number; fault: FaultAction }>>([]),
			weight: 2,
		},
		fc.array(fc.record({ nthRequest: rows(1, 4), fault }), { minLength: 1, maxLength: 2 }),
	),
});

const scenario = fc.record({
	behaviour,
	leads: fc.nat({ max: MOST_LEADS }),
	balance: fc.oneof(fc.constant(10_000), fc.nat({ max: 150 })),
	skip: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, rows(1, 40)),
	settings,
	steps: fc.array(step, { minLength: 6, maxLength: 16 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const tally = {
	runs: 0,
	polls: 0,
	faults: 0,
	failed: 0,
	ceilings: 0,
	credits: 0,
	leads: 0,
	whole: 0,
};
let lastShown = performance.now();

function parametersOf(
	search: number,
	{ leadsPerPoll, simplify, whenExhausted, ...options }: Partial<Settings>,
	skip: number,
	isReordered: boolean,
): INodeParameters {
	const inOrder = <T>(list: readonly T[]) => (isReordered ? [...list].reverse() : [...list]);
	const set = Object.entries<unknown>({ ...options, skip }).filter(
		([, value]) => value !== undefined,
	);
	return {
		filters: Object.fromEntries(
			inOrder([
				['personLocationCountry', inOrder(SEARCHES[search] ?? []).join('\n')],
				[
					'otherFilters',
					JSON.stringify(
						Object.fromEntries(
							inOrder([
								['tags', inOrder(['a', 'b', 'c'])],
								['audience', { from: 1, to: 2 }],
							]),
						),
					),
				],
			]),
		),
		leadsPerPoll,
		simplify,
		whenExhausted,
		options: Object.fromEntries(inOrder(set)) as INodeParameters,
	};
}

/** What the behaviour of a service makes impossible, however careful the trigger is. */
function excusesOf({ behaviour: service }: Scenario) {
	const { omits = [], clampPerPage, silentClamp, laterClamp, fixedPerPage } = service;
	const { sendsExtra, ignoresPage, behindEnd, answersPerPage, echoesPerPage } = service;
	const { minPerPage, allowedPerPage } = service;
	const isBareArray = service.answerShape === 'bareArray';
	const isUnnamed =
		omits.includes('per_page') ||
		answersPerPage === false ||
		isBareArray ||
		echoesPerPage === true;
	const isCapped = clampPerPage !== undefined || laterClamp !== undefined;
	// Pages of a size that is not named: where they begin can't be known behind the first row.
	const isSizeHidden =
		silentClamp !== undefined ||
		((isCapped || fixedPerPage !== undefined) && isUnnamed) ||
		(isCapped && service.perPageIsCount === true);
	const isPageIgnored = ignoresPage !== undefined || behindEnd !== undefined;
	const isRaised =
		fixedPerPage !== undefined || minPerPage !== undefined || allowedPerPage !== undefined;
	return {
		/** A page of the documented size may be cut, which nothing but a size probe shows. */
		isBelowDocumented: Math.min(clampPerPage ?? 25, laterClamp?.size ?? 25) < 25,
		/** Other leads may come than those requested, or the same ones again. */
		misplaces:
			isSizeHidden ||
			isPageIgnored ||
			laterClamp !== undefined ||
			isRaised ||
			sendsExtra !== undefined,
		/** More is served, and charged, than was requested. */
		overserves: isRaised || sendsExtra !== undefined,
		/** What came back can't be read. */
		unreadable:
			['nullRows', 'noContent', 'emptyBody', 'html'].includes(service.answerShape ?? '') ||
			(service.answerShape === 'nullWhenEmpty' && omits.includes('count')),
	};
}

/** What is known of the search whose cursor n8n has. */
interface Known {
	search?: number;
	/** Leads delivered since its first lead, or since it started over. */
	place: number;
	/** All that were delivered. */
	delivered: string[];
	mayStartOver: boolean;
	/** Credits of the ledger: of the search, and of each day. */
	inTotal: number;
	ofDay: Record<string, number>;
}

class Sequence {
	private known: Known = { place: 0, delivered: [], mayStartOver: false, inTotal: 0, ofDay: {} };
	private search = 0;
	private settings: Partial<Settings>;
	private isReordered = false;
	private renames = 0;
	/** Cursors as they were after the polls since the node was renamed last. */
	private history: CursorCopies[] = [];
	/** What n8n has surely saved: that of the latest poll with leads. */
	private saved: { copies: CursorCopies; known: Known } = {
		copies: {},
		known: structuredClone(this.known),
	};
	/** Set while one of the two copies is an old one. */
	private isStale = false;
	private readonly excuses: ReturnType<typeof excusesOf>;

	private constructor(
		private readonly scenario: Scenario,
		private readonly account: Account,
		private readonly workflow: PolledWorkflow,
	) {
		this.settings = scenario.settings;
		this.excuses = excusesOf(scenario);
	}

	static async open(scenario: Scenario): Promise<Sequence> {
		const account = shared.service.admin.createAccount({
			apiCredits: scenario.balance,
			leads: scenario.leads,
			...scenario.behaviour,
		});
		const workflow = await PolledWorkflow.create(
			parametersOf(0, scenario.settings, scenario.skip, false),
			{ baseUrl: shared.service.baseUrl, apiKey: account.apiKey },
		);
		return new Sequence(scenario, account, workflow);
	}

	/** The leads of the search that is set, in order. */
	private get people(): string[] {
		return (PEOPLE[this.search] ?? []).slice(0, this.scenario.leads).slice(this.scenario.skip);
	}

	private get day(): string {
		return new Date().toLocaleDateString('en-CA', { timeZone: TIME_ZONE });
	}

	happen(drawn: Event): void {
		const { workflow } = this;
		switch (drawn.kind) {
			case 'nothing':
				return;
			case 'rename':
				// With an old copy in the workflow's data, the node's own is the only one that is right.
				if (this.isStale) return;
				this.renames += 1;
				workflow.rename(`Leads ${this.renames}`);
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
			case 'staleNode':
			case 'staleWorkflow': {
				const old = this.history[drawn.age % Math.max(1, this.history.length)];
				if (!old || this.isStale) return;
				const now = workflow.copies();
				if (drawn.kind === 'staleNode') {
					// Under a name that it had before, the node finds what was saved with it then.
					this.renames += 1;
					workflow.rename(`Leads ${this.renames}`);
				}
				// Renamed just now, the node has no copy of its own to go on from.
				if (drawn.kind === 'staleWorkflow' && now.ofNode === undefined) return;
				workflow.setCopies(
					drawn.kind === 'staleNode'
						? { ...now, ofNode: old.ofNode }
						: { ...now, ofWorkflow: old.ofWorkflow },
				);
				workflow.restart();
				this.isStale = true;
				return;
			}
			case 'topUp':
				shared.service.admin.setCredits(this.account.id, {
					apiCredits: this.account.apiCredits + drawn.credits,
				});
				return;
			case 'hours':
				jest.setSystemTime(Date.now() + drawn.hours * HOUR_MS);
				return;
			case 'settings':
				this.settings = drawn.settings;
				break;
			case 'reorder':
				this.isReordered = !this.isReordered;
				break;
			case 'filters':
				this.search = drawn.search;
		}
		this.configure();
	}

	private configure(): void {
		const { search, settings: set, isReordered } = this;
		this.workflow.restart(parametersOf(search, set, this.scenario.skip, isReordered));
	}

	async poll({ mode, faults }: Pick<Step, 'mode' | 'faults'>): Promise<string[]> {
		const { account, workflow, excuses } = this;
		const { admin } = shared.service;
		const added = faults
			// What can't be read at all is taken at its word when it says that it was not successful.
			.filter(({ fault: { kind } }) => !excuses.unreadable || kind !== 'merge')
			.map(({ nthRequest, fault: action }) =>
				admin.addFault({ ...action, account: account.id, nthRequest }),
			);
		const before = workflow.copies();
		const charged = account.chargedLeads.length;
		const sent = admin.requests({ account: account.id }).length;
		const lines = { warn: workflow.warnings.length, info: workflow.infos.length };
		let error: { message: string; description?: string | null } | undefined;
		const urls = await workflow.poll(mode === 'manual' ? mode : undefined).then(
			(items) => items.map(({ json }) => json.linkedin_url as string),
			(thrown: unknown) => {
				error = thrown as { message: string };
				return [];
			},
		);
		await admin.idle();
		for (const one of added) one.remove();
		const requests = admin.requests({ account: account.id }).slice(sent);
		// Where the question about the page size is refused, the documented one is believed.
		excuses.misplaces ||=
			excuses.isBelowDocumented &&
			requests.some(({ page, faults: kinds }) => Number(page) > 100_000 && kinds.length > 0);
		const warnings = workflow.warnings.slice(lines.warn);
		const poll: Poll = {
			urls,
			error: error && `${error.message} ${error.description ?? ''}`,
			warnings,
			lines: [...warnings, ...workflow.infos.slice(lines.info)],
			spent: account.chargedLeads.length - charged,
			met: requests.flatMap(({ faults: kinds }) => kinds).length,
			requests: requests.length,
		};
		tally.polls += 1;
		tally.faults += poll.met;
		tally.credits += poll.spent;
		tally.leads += urls.length;
		if (poll.error !== undefined) tally.failed += 1;

		this.checkAccount(poll);
		if (mode === 'manual') {
			expect(workflow.copies()).toEqual(before);
			this.checkTest(poll);
		} else {
			this.checkPoll(poll, before);
		}
		return urls;
	}

	/** Every credit is a lead that is delivered, or is told. */
	private checkAccount({ urls, error, lines, spent, requests }: Poll): void {
		const texts = [...lines, error ?? ''].join('\n');
		const possible = told(texts, /[Uu]p to ([\d,]+) credits? may have been charged/g);
		const again = told(texts, /again, for ([\d,]+) credits?/g);
		const undelivered = told(
			texts,
			/([\d,]+) credits? (?:was|were) charged for leads that are not delivered/g,
		);
		if (requests === 0) expect(spent).toBe(0);
		if (again > 0) {
			expect(urls).toEqual([]);
			expect(spent).toBeLessThanOrEqual(again);
			return;
		}
		expect(urls.length + undelivered).toBeLessThanOrEqual(spent);
		if (possible === 0 || !this.excuses.overserves) {
			expect(spent).toBeLessThanOrEqual(urls.length + undelivered + possible);
		}
		if (spent > 0 && urls.length === 0) expect(texts.trim()).not.toBe('');
	}

	/** A test by hand shows one lead: the next, or the first one where there is no next. */
	private checkTest({ urls, spent, met }: Poll): void {
		const { excuses, known, people, search } = this;
		expect(urls.length).toBeLessThanOrEqual(1);
		if (met === 0 && !excuses.overserves) expect(spent).toBeLessThanOrEqual(1);
		if (excuses.misplaces || urls.length === 0) return;
		const place = known.search === search ? known.place : 0;
		expect([people[place], people[0]]).toContain(urls[0]);
	}

	private checkPoll(poll: Poll, before: CursorCopies): void {
		const { known, excuses, workflow, settings: set } = this;
		const { urls, error, warnings, lines, spent, requests } = poll;
		if (error?.includes('changed three times within 24 hours')) {
			expect(requests).toBe(0);
			expect(workflow.copies()).toEqual(before);
			return;
		}
		// A search starts at its first lead where its filters are new, and only there.
		const startsAnew = lines.some((line) => / from lead \d+$/.test(line));
		if (known.search === this.search) expect(startsAnew).toBe(false);
		else expect(startsAnew).toBe(true);
		if (known.search !== undefined && startsAnew) expect(warnings.length).toBeGreaterThan(0);
		const isSaved = JSON.stringify(workflow.copies()) !== JSON.stringify(before);
		if (spent > 0 || urls.length > 0) expect(isSaved).toBe(true);
		if (isSaved) {
			this.isStale = false;
			if (known.search !== this.search) {
				const { ofDay } = known;
				this.known = {
					search: this.search,
					place: 0,
					delivered: [],
					mayStartOver: false,
					inTotal: 0,
					ofDay,
				};
			}
		}
		this.checkCeilings(poll);
		if (urls.length > 0 || spent > 0) this.checkPlace(urls);
		const { place } = this.known;
		this.known.mayStartOver =
			place >= this.people.length &&
			(this.known.mayStartOver || set.whenExhausted === 'startOver');
		this.history.push(workflow.copies());
		if (urls.length > 0) {
			this.saved = { copies: workflow.copies(), known: structuredClone(this.known) };
		}
		if (excuses.misplaces) return;
		if (lines.some((line) => line.includes(' are spent'))) tally.ceilings += 1;
	}

	private checkCeilings({ urls, spent }: Poll): void {
		const { known, day } = this;
		const { leadsPerPoll = 0, maxCredits, maxCreditsPerDay, maxCreditsInTotal } = this.settings;
		known.inTotal += spent;
		known.ofDay[day] = (known.ofDay[day] ?? 0) + spent;
		expect(urls.length).toBeLessThanOrEqual(leadsPerPoll);
		if (spent === 0 || this.excuses.overserves) return;
		expect(spent).toBeLessThanOrEqual(maxCredits ?? Infinity);
		expect(known.ofDay[day]).toBeLessThanOrEqual(maxCreditsPerDay ?? Infinity);
		expect(known.inTotal).toBeLessThanOrEqual(maxCreditsInTotal ?? Infinity);
	}

	/** The leads delivered are the next ones, without a gap. */
	private checkPlace(urls: string[]): void {
		const { known, people, excuses } = this;
		if (excuses.misplaces) return;
		if (known.place >= people.length && known.mayStartOver && urls.length > 0) {
			known.place = 0;
		}
		expect(urls).toEqual(people.slice(known.place, known.place + urls.length));
		known.place += urls.length;
	}

	/** Without faults and ceilings, what has not been delivered comes, and nothing else. */
	async finish(): Promise<void> {
		const { excuses, scenario } = this;
		if (excuses.misplaces || excuses.unreadable) return;
		shared.service.admin.setCredits(this.account.id, { apiCredits: 10_000 });
		jest.setSystemTime(Date.now() + 25 * HOUR_MS);
		this.settings = { leadsPerPoll: 25, whenExhausted: 'stop', maxRetries: 0 };
		this.configure();
		for (let polls = 0; polls < 2 + MOST_LEADS / 5; polls++) {
			const urls = await this.poll({ mode: 'trigger', faults: [] });
			if (urls.length === 0 && polls > 0) break;
		}
		expect(this.known.place).toBe(this.people.length);
		if (scenario.leads > 0) tally.whole += 1;
	}
}

/** What a poll came to. */
interface Poll {
	urls: string[];
	/** Message and description. */
	error?: string | undefined;
	warnings: string[];
	/** All that was logged. */
	lines: string[];
	/** Credits, by the ledger. */
	spent: number;
	/** Faults met. */
	met: number;
	requests: number;
}

async function check(drawn: Scenario): Promise<void> {
	jest.setSystemTime(new Date('2026-11-22T09:30:00Z'));
	const sequence = await Sequence.open(drawn);
	for (const { event: happening, ...poll } of drawn.steps) {
		sequence.happen(happening);
		await sequence.poll(poll);
	}
	await sequence.finish();
	tally.runs += 1;
	if (performance.now() - lastShown > 10_000) {
		lastShown = performance.now();
		process.stderr.write(`  ${tally.runs} of ${SEQUENCES} sequences\n`);
	}
}

beforeAll(() => {
	jest.useFakeTimers({
		doNotFake: [
			'hrtime',
			'nextTick',
			'performance',
			'queueMicrotask',
			'setImmediate',
			'clearImmediate',
			'setInterval',
			'clearInterval',
			'setTimeout',
			'clearTimeout',
		],
	});
});

afterAll(() => {
	jest.useRealTimers();
});

test(`each lead comes once and each credit is told, in ${SEQUENCES} random sequences of polls`, async () => {
	await fc.assert(fc.asyncProperty(scenario, check), { numRuns: SEQUENCES });
	const { runs, polls, faults, failed, ceilings, credits, leads, whole } = tally;
	process.stderr.write(
		`${runs} sequences of ${polls} polls: ${faults} faults injected, ` +
			`${failed} polls failed, ${ceilings} stopped at a ceiling, ${whole} lists came whole; ` +
			`${leads} leads for ${credits} credits, all accounted for\n`,
	);
	// Without any of these, there would be nothing to find.
	for (const many of [faults, failed, leads]) expectMet(many, SEQUENCES / 2, SEQUENCES);
	expectMet(ceilings, SEQUENCES / 20, SEQUENCES);
	expectMet(whole, SEQUENCES / 5, SEQUENCES);
});
