/**
 * Simulates days of schedules, polls and random runs in a list to which leads are added and from which some go. No run
 * returns a lead twice, and each run that lacks a lead which was there all along says that leads may be missing.
 */
import { RUNS } from '../seed';
import { createTrigger } from './pollCore';
import { icelandUrls, letMinutesPass, production, useService } from './useService';

/** The number of simulated days of each kind. */
const DAYS = Math.max(1, Math.round(RUNS / 250));
const DAY_MINUTES = 300;
/** The number of leads at first. More of them are added at the front. */
const LEADS = 300;
const POSITIONS = 700;
const REUSE_MINUTES = 30;

jest.setTimeout(Math.max(300_000, DAYS * 60_000));

const shared = useService();

interface Run {
	minute: number;
	limit?: number;
	skip?: number;
	reusePaidResults?: number;
	isPoll?: boolean;
}

/** Returns a function that draws numbers from 0 to below 1. */
function drawFrom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
		return state / 4_294_967_296;
	};
}

const every = (minutes: number, run: Omit<Run, 'minute'> = {}, from = 0): Run[] =>
	Array.from({ length: Math.ceil((DAY_MINUTES - from) / minutes) }, (_, at) => ({
		...run,
		minute: from + at * minutes,
	}));

function randomRuns(seed: number): Run[] {
	const random = drawFrom(seed * 7_919 + 1);
	const pick = <T>(...values: T[]) => values[Math.floor(random() * values.length)];
	const runs: Run[] = [];
	for (let minute = 0; minute < DAY_MINUTES; minute += 1 + Math.floor(random() * 39)) {
		const reusePaidResults = pick(30, 30, 30, 30, 5, 60) ?? REUSE_MINUTES;
		const range = pick(
			{},
			{},
			{},
			{ limit: 10 },
			{ limit: 50 },
			{ limit: 200 },
			{ skip: 50, limit: 50 },
		);
		runs.push({ minute, reusePaidResults, ...range });
	}
	return runs;
}

/** A list of positions. New leads come to its front, and a tenth as many leads go from anywhere. */
class MovingList {
	/** The list after each change, with the minute of the change. */
	private readonly states: Array<{ since: number; positions: number[] }> = [];
	private first = POSITIONS - LEADS;
	private readonly gone = new Set<number>();
	private due = 0;

	constructor(
		private readonly accountId: string,
		private readonly perHour: number,
		private readonly random: () => number,
	) {
		this.publish(0);
	}

	pass(minute: number): void {
		this.due += (this.perHour / 60) * 2 * this.random();
		if (this.due < 1) return;
		for (; this.due >= 1; this.due -= 1) {
			this.first -= 1;
			if (this.random() < 0.1) this.gone.add(this.first + Math.floor(this.random() * LEADS));
		}
		this.publish(minute);
	}

	/** The positions that were in a part of the list at all times since a minute. */
	stable(since: number, from: number, to: number): number[] {
		const states = this.states.filter((_, at) => (this.states[at + 1]?.since ?? Infinity) >= since);
		const parts = states.map(({ positions }) => new Set(positions.slice(from, to)));
		return [...(parts.at(-1) ?? [])].filter((position) =>
			parts.every((part) => part.has(position)),
		);
	}

	private publish(since: number): void {
		const isThere = (position: number) => position >= this.first && !this.gone.has(position);
		const all = Array.from({ length: POSITIONS }, (_, position) => position);
		this.states.push({ since, positions: all.filter(isThere) });
		const absent = all.filter((position) => !isThere(position));
		shared.service.admin.setBehaviour(this.accountId, { absent });
	}
}

/** @returns the number of runs that lack leads which were there all along */
async function simulate(runs: Run[], perHour: number, ties: number, seed: number) {
	const setup = { leadsPerPoll: 10, maxCreditsPerDay: 0 };
	const buyer = await createTrigger(shared, setup, { leads: POSITIONS, ties });
	const list = new MovingList(buyer.account.id, perHour, drawFrom(seed));
	const run = { ...production, credentialId: buyer.workflow.credentialId };
	let now = 0;
	let lacking = 0;
	for (const { minute, isPoll, limit, skip = 0, reusePaidResults = REUSE_MINUTES } of runs) {
		for (; now < minute; now++) {
			letMinutesPass(1);
			list.pass(now);
		}
		if (isPoll) {
			// A poll fails if it receives only leads that came before.
			await buyer.poll().catch(() => []);
			continue;
		}
		const range = limit === undefined ? { returnAll: true } : { limit };
		const { urls, warnings, error } = await buyer.search(
			{ ...range, options: { skip, reusePaidResults } },
			run,
		);
		expect(error).toBeUndefined();
		expect(new Set(urls).size).toBe(urls.length);
		const returned = new Set(urls.map((url) => icelandUrls.indexOf(url as string)));
		// No row is older than twice these minutes.
		const stable = list.stable(now - 2 * reusePaidResults - 1, skip, skip + (limit ?? Infinity));
		// The leads of a Limit can be any of those that tie.
		const isWhole = ties > 0 && limit !== undefined;
		if (isWhole || stable.every((position) => returned.has(position))) continue;
		lacking += 1;
		expect(warnings.join()).toContain('may be missing');
	}
	return lacking;
}

const inOrder = (...plans: Run[][]) => plans.flat().sort((a, b) => a.minute - b.minute);
const returnAllEvery20 = every(20, {}, 20);

/** The last column is whether a run may lack leads. */
const PLANS: Array<[string, (seed: number) => Run[], boolean]> = [
	['Return All every hour', () => every(60), false],
	['Return All every 20 minutes', () => every(20), false],
	[
		'Return All every 20 minutes after one search with Limit 10',
		() => [{ minute: 10, limit: 10 }, ...returnAllEvery20],
		false,
	],
	[
		'Limit 100 every 25 minutes after one search with Limit 10',
		() => [{ minute: 0, limit: 10 }, ...every(25, { limit: 100 }, 25)],
		false,
	],
	[
		'Limit 50 every hour and Return All every 20 minutes',
		() => inOrder(every(60, { limit: 50 }), every(20, {}, 10)),
		false,
	],
	[
		'polls every 5 minutes and Return All every hour',
		() => inOrder(every(5, { isPoll: true }, 2), every(60, {}, 30)),
		true,
	],
	['random runs', randomRuns, true],
];

describe.each([
	[3, 0],
	[30, 0],
	[0, 50],
])('With %i new leads per hour, and groups of %i leads that tie', (perHour, ties) => {
	test.each(PLANS)(
		'%s: no run returns a lead twice, and a run that lacks leads says so',
		async (_, plan, mayLack) => {
			for (let seed = 1; seed <= DAYS; seed++) {
				const lacking = await simulate(plan(seed), perHour, ties, seed);
				if (!mayLack && ties === 0) expect(lacking).toBe(0);
				jest.restoreAllMocks();
			}
		},
	);
});
