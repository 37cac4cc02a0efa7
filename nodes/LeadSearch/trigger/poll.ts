/**
 * One poll: the next batch of a search, each lead paid for once. The cursor moves only together with
 * the leads that are emitted.
 */
import {
	NodeOperationError,
	type INodeExecutionData,
	type IPollFunctions,
	type NodeApiError,
} from 'n8n-workflow';

import { ConcurrencyLimit } from '../api/concurrency';
import { CreditAccount } from '../api/credits';
import type { Failure } from '../api/failures';
import { ListRows } from '../api/listRows';
import { ProfileRows } from '../api/profileRows';
import { openApi, type ApiAccess } from '../execution/apiAccess';
import { runFetch, type Fetched } from '../execution/fetch';
import { Output } from '../execution/output';
import { hintLostResponses } from '../messages/hints';
import { formatFailure } from '../messages/failures';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import {
	formatCeiling,
	formatNextPoll,
	formatRepetition,
	formatRestart,
	formatUndelivered,
	TOO_MANY_RESTARTS,
} from '../messages/polls';
import { creditBudget } from '../parameters/fetching';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { collectionValues, itemValues } from '../parameters/values';
import { planLists } from '../resources/lead/leadList';
import { readSearch, type SearchRequest } from '../resources/lead/search.operation';
import {
	cursorAfter,
	findCursor,
	fingerprintOf,
	isSamePage,
	restartsTooOften,
	type Cursor,
	type PollOutcome,
	type WhenExhausted,
} from './cursor';
import { storedCursor } from './cursorStorage';
import { isBeforeHandover, noteHandover } from './handover';
import { creditsInTotal, creditsPerDay, leadsPerPoll, whenExhausted } from './parameters';

/** Polls in progress, by workflow and node: a second one at the same time would pay twice. */
const inProgress = new Set<string>();

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or credential that can't be used; NodeApiError when the
 * service failed before any lead came. The cursor stays where it was. Where the service may have
 * charged, n8n is told of the failure, and nothing is thrown
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	if (inProgress.has(key)) {
		log(context, 'info', 'the poll before is still under way');
		return null;
	}
	inProgress.add(key);
	try {
		return await poll(context, key);
	} finally {
		inProgress.delete(key);
	}
}

async function poll(context: IPollFunctions, key: string): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const parameters = readParameters(context);
	const { request, whenExhausted } = parameters;
	const { skip } = request;
	const time = timeOf(context);
	const api = await openApi(context, 'search', time.signal);
	const storage = storedCursor(context);
	const { cursor, restart } = findCursor(
		storage.copies(),
		fingerprintOf(request.filters, api.baseUrl),
		skip,
		{
			nodeName: context.getNode().name,
			now: Date.now(),
			day: dayIn(context.getTimezone()),
		},
	);
	if (!isTest && isBeforeHandover(key, cursor, Date.now())) {
		log(context, 'info', 'the leads of the poll before are still being saved');
		return null;
	}
	if (!isTest && restart !== undefined) {
		const level = restart === 'firstPoll' ? 'info' : 'warn';
		log(context, level, formatRestart(restart, cursor.offset));
	}
	if (restartsTooOften(cursor)) throw asInvalid(context.getNode(), TOO_MANY_RESTARTS);
	const ceiling = ceilingReached(cursor, parameters);
	if (ceiling !== undefined && isTest) {
		throw asInvalid(context.getNode(), formatCeiling(ceiling));
	}
	if (!isTest && (cursor.exhausted || cursor.isRepeating)) return null;
	if (ceiling !== undefined) {
		log(context, 'info', ceiling);
		return null;
	}

	const wanted = isTest
		? { ...request, skip: cursor.exhausted ? skip : cursor.offset, limit: 1 }
		: { ...request, skip: cursor.offset };
	const leads = await fetchLeads(context, api, wanted, cursor, {
		hasTime: time.isLeft,
		budget: Math.min(parameters.budget, ...creditsUnderCeilings(cursor, parameters)),
	});
	const isRepeating = !isTest && isSamePage(cursor, leads.firstRow);
	const hasMoved = leads.fetched.rows > 0 || !leads.fetched.failure;
	const isSaved = !isTest && (hasMoved || leads.spent > 0);
	if (isSaved) {
		const after = cursorAfter(cursor, hasMoved ? leads : { ...leads, offset: cursor.offset }, {
			whenExhausted,
			skip,
		});
		storage.save({ ...after, isRepeating });
		if (leads.items.length > 0) noteHandover(key, after, Date.now());
	}
	const failure = failureOf(leads.fetched);
	if (!failure && leads.credits.lostResponses > 0) {
		log(context, 'warn', hintLostResponses(leads.credits));
	}
	const error = isRepeating
		? asInvalid(context.getNode(), formatRepetition(leads.spent))
		: failure && warnOrError(context, failure, leads, wanted, api);
	if (error) {
		if (!isSaved) throw error;
		// Of a poll that throws, n8n with durable cursors saves nothing, so not what it has cost either.
		context.__emitError(error);
		return null;
	}
	return leads.items.length > 0 ? [leads.items] : null;
}

interface Parameters {
	request: SearchRequest;
	whenExhausted: WhenExhausted;
	/** Credit Budget of each poll, in credits. */
	budget: number;
	perDay: number;
	inTotal: number;
}

function readParameters(context: IPollFunctions): Parameters {
	const values = itemValues(context.getNode().parameters, (name) =>
		context.getNodeParameter(name, null),
	);
	try {
		const options = collectionValues(values, 'options');
		return {
			request: readSearch(values, leadsPerPoll.read(values)),
			whenExhausted: whenExhausted.read(values),
			budget: creditBudget.read(options),
			perDay: creditsPerDay.read(options),
			inTotal: creditsInTotal.read(options),
		};
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) {
			const { message, description } = thrown;
			throw asInvalid(context.getNode(), { message, description });
		}
		throw new NodeOperationError(
			context.getNode(),
			thrown instanceof Error ? thrown.message : String(thrown),
			{ description: 'Check the parameters of the node. Nothing was sent or charged.' },
		);
	}
}

/** Today, as YYYY-MM-DD. */
function dayIn(timeZone: string): string {
	return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
}

function creditsUnderCeilings(
	{ spentToday, spentInTotal }: Cursor,
	{ perDay, inTotal }: Parameters,
): number[] {
	return [Math.max(0, perDay - spentToday), Math.max(0, inTotal - spentInTotal)];
}

/** @returns which ceiling is reached, for people; undefined for none */
function ceilingReached(cursor: Cursor, parameters: Parameters): string | undefined {
	const [today = 0, inTotal = 0] = creditsUnderCeilings(cursor, parameters);
	if (inTotal < 1) return `The Credits in Total (${parameters.inTotal}) are spent`;
	if (today < 1) return `The Credits per Day (${parameters.perDay}) are spent for ${cursor.day}`;
	return undefined;
}

/** What a poll brought. */
interface Leads extends PollOutcome {
	fetched: Fetched;
	items: INodeExecutionData[];
	credits: CreditAccount;
}

async function fetchLeads(
	context: IPollFunctions,
	api: ApiAccess,
	request: SearchRequest,
	{ provenSize, cappedSize, smallestSize }: Cursor,
	{ hasTime, budget }: { hasTime: (waitMs: number) => boolean; budget: number },
): Promise<Leads> {
	const credits = new CreditAccount();
	// A poll goes on from a cursor, so it never asks for what was paid for.
	const sizes = { provenSize, cappedSize, smallestSize };
	const rows = new ListRows([{ stretches: [], sizes }]);
	// A cursor is one row, up to which everything came; several pages at once could leave gaps.
	const settings = { ...request.settings, parallelPages: 1 };
	const [fetch] = planLists('search', [{ item: 0, request: { ...request, settings } }], {
		list: () => rows,
		profiles: () => new ProfileRows(),
		leavesOut: () => false,
	});
	if (!fetch) throw new NodeOperationError(context.getNode(), 'There is no search to run');
	const fetched = await runFetch(fetch, {
		endpoint: 'search',
		api,
		credits,
		budget,
		concurrency: new ConcurrencyLimit(),
		logger: context.logger,
		hasTime,
	});
	const output = new Output();
	const emitted = fetch.emit(output, (message) => {
		log(context, 'warn', message);
	});
	const undelivered = fetched.repeatedRows + fetched.rows - emitted.rows;
	if (undelivered > 0) log(context, 'warn', formatUndelivered(undelivered));
	const { missing = [], wanted } = fetch.remainder().rows ?? {};
	return {
		fetched,
		end: fetched.end,
		// A trigger has no input items to pair with.
		items: output.items().map(({ json }) => ({ json })),
		firstRow: rows.at(request.skip),
		offset: missing[0]?.from ?? rows.end ?? wanted?.to ?? request.skip,
		spent: credits.charged + credits.possiblyCharged,
		sizes: rows.sizes,
		credits,
	};
}

/**
 * n8n abandons a poll that takes too long, and with it the leads that were paid for. So no request
 * starts after half of the time, and none goes on until the end of it.
 */
function timeOf(context: IPollFunctions): {
	signal?: AbortSignal;
	isLeft: (waitMs: number) => boolean;
} {
	// Older versions of n8n set no bound.
	if (typeof context.getPollBudgetMs !== 'function') return { isLeft: () => true };
	const budget = context.getPollBudgetMs();
	const started = Date.now();
	return {
		signal: AbortSignal.timeout(budget * 0.9),
		isLeft: (waitMs) => Date.now() + waitMs - started < budget / 2,
	};
}

/** Only lack of time ends a poll from our side. What could not be repeated for that is to be told. */
function failureOf({ failure, end, retried }: Fetched): Failure | undefined {
	const ranOut = failure?.kind === 'cancelled' || end === 'outOfTime';
	return ranOut ? (retried ?? failure) : failure;
}

/** With leads in hand the failure can wait for the next poll, which meets it again if it lasts. */
function warnOrError(
	context: IPollFunctions,
	failure: Failure,
	{ fetched, offset, credits }: Leads,
	{ settings }: SearchRequest,
	{ baseUrl, sessionToken }: ApiAccess,
): NodeApiError | undefined {
	const { message, description } = formatFailure(failure, {
		endpoint: 'search',
		baseUrl,
		sessionToken,
		fetched: fetched.rows,
		timeoutMs: settings.timeoutMs,
		isPoll: true,
	});
	const goesOn = formatNextPoll(offset, credits.possiblyCharged);
	if (fetched.rows > 0) {
		log(context, 'warn', `${message}. ${goesOn}`);
		return undefined;
	}
	return asNodeError(
		context.getNode(),
		{ message, description: `${description} ${goesOn}` },
		{ status: failure.status, item: 0 },
	);
}

/** A poll without leads has no output, so n8n's log is all that tells of it. */
function log(context: IPollFunctions, level: 'info' | 'warn', message: string): void {
	context.logger[level](`Lead Search Trigger: ${message}`);
}
