/** Runs jobs against the model of the service. Responses come in any order, some are lost, and some requests fail. */
import fc from 'fast-check';

import type { Endpoint, Json, Page } from '../../nodes/LeadSearch/api/contract';
import {
	failureFromStatus,
	type Failure,
	type ValueOrFailure,
} from '../../nodes/LeadSearch/api/failures';
import { readPage } from '../../nodes/LeadSearch/api/response';
import { LeadJob, type LeadTarget } from '../../nodes/LeadSearch/paging/leadJob';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import type { PagedList as AnyList } from '../../nodes/LeadSearch/paging/pagedList';
import { LookUpJob, type ProfileTarget } from '../../nodes/LeadSearch/paging/lookUpJob';
import { ProfileList } from '../../nodes/LeadSearch/paging/profileList';
import { Credits } from '../../nodes/LeadSearch/paging/credits';
import type { Job } from '../../nodes/LeadSearch/paging/job';
import { fetchAll, type Result } from '../../nodes/LeadSearch/paging/fetchAll';
import { PROFILE_URLS } from '../../nodes/LeadSearch/resources/linkedInProfile/linkedInUrl';
import {
	serve,
	type Deviation,
	type Ledger,
	type Readings,
	type Request,
	type Row,
	type State,
} from '../../sandbox/service/model';
import { between, of } from '../seed';

/** The job of a run, with its endpoint and request body. */
export interface RequestedJob {
	job: Job;
	endpoint: Endpoint;
	body: (request: PageRequest) => Json;
}

/** Creates a job for all leads of a list, unless `target` says otherwise. */
export function leadsOf(list: LeadList, target: Partial<LeadTarget> = {}): RequestedJob {
	const fullTarget = { skip: 0, limit: Infinity, ...target };
	return {
		job: new LeadJob(list, fullTarget),
		endpoint: 'search',
		body: ({ page, size, maxResults }) => {
			return { _page: page, _per_page: size, max_results: maxResults };
		},
	};
}

/** Creates a job for the profiles of all URLs, with or without an email, unless `target` says otherwise. */
export function profilesOf(list: ProfileList, urls: string[], target: Partial<ProfileTarget> = {}) {
	return {
		job: new LookUpJob(list, { urls, limit: Infinity, ...target }),
		endpoint: 'lookUp' as const,
		body: ({ urls: requestedUrls, page, size }: PageRequest) => ({
			linkedinUrls: [...(requestedUrls ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
			onlyWithEmails: false,
		}),
	};
}

export const newProfiles = () => new ProfileList(PROFILE_URLS);

/** Restores a list for a later run that needs all of its rows. */
export function restoreCopy<List extends LeadList | ProfileList>(list: List): List {
	if (list instanceof LeadList) {
		const copy = new LeadList();
		for (const [index, row] of list.cells) copy.restore(index, [row]);
		const { end } = list;
		if (end?.isConfirmed && list.cells.size >= end.at) copy.restoreEnd(end);
		return copy as List;
	}
	const copy = newProfiles();
	for (const [url, rows] of list.cells) if (rows.length > 0) copy.restore(url, rows);
	return copy as List;
}

/** Copies the cost of an earlier run into a restored list, so that the cost of all runs adds up. */
export function withCostOf<List extends AnyList>(copy: List, list: List): List {
	Object.assign(copy.cost, list.cost);
	return copy;
}

const mostly = <T>(value: T, other: fc.Arbitrary<T>) =>
	fc.oneof({ arbitrary: fc.constant(value), weight: 2 }, { arbitrary: other, weight: 1 });

/** The readings of the contract that concern searches and lookups. */
export const READINGS = {
	tooLarge: mostly<Readings['tooLarge']>('cut', of(400, 422)),
	perPage: mostly<Readings['perPage']>('served', of('asked')),
	missing: mostly<Readings['missing']>(
		[],
		fc.subarray(['page', 'per_page', 'has_more', 'next_page']),
	),
	hasMore: mostly<Readings['hasMore']>('honest', of('fullPage')),
	zeroBalance: of<Readings['zeroBalance']>('refusesAll', 'refusesRows'),
	noRows: of<Readings['noRows']>('empty', 'null', 'missing'),
};

/** The conditions of a run. Requests and responses are counted from its start. */
export interface Conditions {
	/** The requests in flight that get the next responses, as fractions of 1. The array is repeated. */
	order: number[];
	/** The requests that fail with a status, and the lost responses. */
	faults: Array<{ nth: number; fault: 413 | 429 | 500 | 502 | 503 | 504 | 'lost' | 'lostBefore' }>;
	cancelAfter?: number | undefined;
	/** The credits that are bought after a number of responses. */
	topUp?: { after: number; credits: number } | undefined;
	budget: number;
	parallelPages: number;
	maxRetries: number;
	continuesOnFailure?: boolean;
	/** A gateway that replaces responses with more rows by this failure, after the service has charged them. */
	gateway?: { maxRows: number; failure: Failure };
}

/** Random conditions. */
export const anyConditions: fc.Arbitrary<Conditions> = fc.record({
	order: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 8 }),
	faults: fc.array(
		fc.record({
			nth: between(1, 8),
			fault: of<Conditions['faults'][number]['fault']>(
				...([413, 429, 500, 502, 503, 504, 'lost', 'lostBefore'] as const),
			),
		}),
		{ maxLength: 2 },
	),
	cancelAfter: fc.option(between(1, 6), { nil: undefined, freq: 4 }),
	topUp: fc.option(fc.record({ after: between(1, 6), credits: between(1, 300) }), {
		nil: undefined,
		freq: 4,
	}),
	budget: fc.oneof(fc.constant(Infinity), between(0, 400)),
	parallelPages: of(1, 3, 8),
	maxRetries: of(0, 3),
});

/** A context without limits, failures or waits. */
export const QUIET = {
	wait: () => Promise.resolve(),
	random: () => 0,
	isCancelled: () => false,
	credits: new Credits({ maxCredits: Infinity }),
	parallelPages: 8,
	maxRetries: 3,
	continuesOnFailure: false,
};

export const FAIR: Conditions = {
	order: [0],
	faults: [],
	budget: Infinity,
	parallelPages: 8,
	maxRetries: 3,
};

export class World implements State, Ledger {
	credits: number;
	readonly charged: number[] = [];
	order?: State['order'];
	/** The IDs of rows in lost responses, and of received rows. */
	readonly lost: number[] = [];
	readonly received = new Set<number>();
	/** The IDs of the rows received for each URL that was requested alone. */
	readonly receivedAlone = new Map<string, Set<number>>();
	/** The numbers of rows in the responses that used up the balance. */
	readonly lastRowCounts: number[] = [];
	requests = 0;
	private readonly byUrl: ReadonlyMap<string, Row>;

	constructor(
		balance: number,
		readonly readings: Partial<Readings>,
		private readonly rows: readonly Row[],
		readonly deviation?: Deviation,
	) {
		this.credits = balance;
		this.byUrl = new Map(rows.map((row) => [row.record.linkedin_url, row]));
	}

	leads = () => this.rows;

	readonly profiles = {
		get: (url: string) =>
			this.byUrl.get(url) ?? this.byUrl.get(url.replace(OPAQUE_PATH, PUBLIC_PATH)),
	};

	/** @throws Error if a request is sent after the execution was cancelled, or the run doesn't end */
	async run(jobs: RequestedJob[], conditions: Conditions): Promise<Result[]> {
		const { order, faults, cancelAfter = Infinity, topUp, budget } = conditions;
		// Each run is a separate execution.
		for (const { job } of jobs) job.list.violation = undefined;
		const waiting: Array<() => void> = [];
		let sent = 0;
		let responses = 0;
		const respondToNext = () => {
			const fraction = order[responses++ % order.length] ?? 0;
			if (responses === topUp?.after) this.credits += topUp.credits;
			waiting.splice(Math.floor(fraction * waiting.length), 1)[0]?.();
		};
		return await fetchAll(jobs, {
			send: async ({ endpoint, body }, request) => {
				if (sent >= cancelAfter) throw new Error('A request was sent after the cancel');
				if (this.requests++ > 10_000) throw new Error('The run does not end');
				const nth = ++sent;
				await new Promise<void>((resolve) => {
					waiting.push(resolve);
					setImmediate(respondToNext);
				});
				if (nth <= cancelAfter && sent >= cancelAfter) {
					this.lose(endpoint, body(request));
					return { failure: { kind: 'cancelled', mayBeCharged: true } };
				}
				const fault = faults.find((one) => one.nth === nth)?.fault;
				if (typeof fault === 'number')
					return { failure: failureFromStatus(fault, {}, undefined, 0) };
				if (fault === 'lost') this.lose(endpoint, body(request));
				if (fault !== undefined) return { failure: { kind: 'lostResponse' } };
				return this.respond(endpoint, body(request), false, conditions.gateway);
			},
			wait: () => Promise.resolve(),
			random: () => 0,
			isCancelled: () => sent >= cancelAfter,
			credits: new Credits({ maxCredits: budget }),
			parallelPages: conditions.parallelPages,
			maxRetries: conditions.maxRetries,
			continuesOnFailure: conditions.continuesOnFailure ?? false,
		});
	}

	private respond(
		endpoint: Endpoint,
		body: Json,
		isDropped = false,
		gateway?: Conditions['gateway'],
	): ValueOrFailure<Page> {
		const response = serve(this, { endpoint, body } as unknown as Request);
		if (this.credits === 0) this.lastRowCounts.push(response.rows.length);
		const isLost = isDropped || response.rows.length > (gateway?.maxRows ?? Infinity);
		for (const id of response.rows)
			if (isLost) this.lost.push(id);
			else this.received.add(id);
		const [url, ...others] = (body.linkedinUrls ?? []) as string[];
		if (!isLost && url !== undefined && others.length === 0)
			this.receivedAlone.set(
				url,
				new Set([...(this.receivedAlone.get(url) ?? []), ...response.rows]),
			);
		if (response.status !== 200) {
			const text = (response.body as { message: string }).message;
			return { failure: failureFromStatus(response.status, {}, text, 0) };
		}
		if (isLost) return { failure: gateway?.failure ?? { kind: 'lostResponse' } };
		return readPage(JSON.parse(JSON.stringify(response.body)) as Json, endpoint);
	}

	private lose(endpoint: Endpoint, body: Json): void {
		this.respond(endpoint, body, true);
	}
}

const PUBLIC_PATH = '/in/lead-';
const OPAQUE_PATH = '/in/ACoAA';

/** The URL with the opaque ID of a numbered lead. The lead's row names its public URL. */
export const opaqueUrlOf = (url: string) => url.replace(PUBLIC_PATH, OPAQUE_PATH);

/** Creates numbered leads. Each index in `twins` has the same profile as the index before it. */
export function numberedRows(length: number, twins: readonly number[] = []): Row[] {
	return Array.from({ length }, (_, id) => {
		const profile = twins.includes(id) ? Math.max(0, id - 1) : id;
		const record = {
			full_name: `Lead ${id}`,
			work_email: `lead${id}@example.com`,
			personal_emails: [],
			linkedin_url: `https://www.linkedin.com/in/lead-${profile}`,
		};
		return { id, record } as unknown as Row;
	});
}

/** The number of a lead, from its row. */
export function idOf(row: Json): number {
	return Number(String(row.full_name).slice('Lead '.length));
}

export function failureOf(results: Result[]): Failure | undefined {
	return results.find(({ failure }) => failure)?.failure;
}
