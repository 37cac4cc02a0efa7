/**
 * One poll: the next batch of a search, each lead paid for once. The cursor moves only together with
 * the leads that are put out.
 */
import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { ProfileRows } from '../api/batches';
import { ConcurrencyLimit } from '../api/concurrency';
import { CreditAccount } from '../api/credits';
import type { Failure } from '../api/failures';
import { ListRows } from '../api/listRows';
import { openApi } from '../execution/apiAccess';
import { runFetch, type Fetched } from '../execution/fetch';
import { Output } from '../execution/output';
import { formatFailure } from '../messages/failures';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { creditBudget } from '../parameters/fetching';
import { InvalidParameterError } from '../parameters/invalidParameter';
import { collectionValues, itemValues } from '../parameters/values';
import { planLists, type ListRequest } from '../resources/lead/leadList';
import { readSearch } from '../resources/lead/search.operation';
import { cursorAfter, findCursor, fingerprintOf, type Cursor, type RestartReason } from './cursor';
import { leadsPerPoll, whenExhausted } from './parameters';

/** Polls in progress, by workflow and node: a second one at the same time would pay twice. */
const inProgress = new Set<string>();

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or credential that can't be used; NodeApiError when the
 * service failed before any lead came. The cursor stays where it was
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	if (inProgress.has(key)) {
		context.logger.info('Lead Search Trigger: the poll before is still under way');
		return null;
	}
	inProgress.add(key);
	try {
		return await poll(context);
	} finally {
		inProgress.delete(key);
	}
}

async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const { request, exhaustion, budget } = readParameters(context);
	const { skip } = request;
	const fingerprint = fingerprintOf(request.body, skip);
	const saved = context.getWorkflowStaticData('node');
	const { cursor, restart } = findCursor(saved.place, fingerprint, skip);
	if (!isTest) logStart(context, cursor, restart);
	if (cursor.exhausted && !isTest) return null;

	const offset = isTest && cursor.exhausted ? skip : cursor.offset;
	const limit = isTest ? 1 : request.limit;
	const poll = await fetchLeads(context, { ...request, skip: offset, limit }, budget);
	if (!isTest && (poll.fetched.rows > 0 || !poll.fetched.failure)) {
		saved.place = cursorAfter(
			cursor,
			{ end: poll.fetched.end, offset: poll.offset },
			{ whenExhausted: exhaustion, skip },
		);
	}
	const failure = failureOf(poll.fetched);
	if (failure) warnOrThrow(context, failure, poll, request);
	return poll.items.length > 0 ? [poll.items] : null;
}

function readParameters(context: IPollFunctions) {
	const values = itemValues((name) => context.getNodeParameter(name, null));
	try {
		return {
			request: readSearch(values, leadsPerPoll.read(values)),
			exhaustion: whenExhausted.read(values),
			budget: creditBudget.read(collectionValues(values, 'options')),
		};
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) {
			const { message, description } = thrown;
			throw asInvalid(context.getNode(), { message, description });
		}
		throw new NodeOperationError(
			context.getNode(),
			thrown instanceof Error ? thrown.message : String(thrown),
		);
	}
}

/** A poll goes on from a cursor, so it never asks for what was paid for. */
const NOTHING_PAID = { list: () => new ListRows(), profiles: () => new ProfileRows() };

interface Poll {
	fetched: Fetched;
	items: INodeExecutionData[];
	/** Rows of the search up to which all have come. */
	offset: number;
	baseUrl: string;
	credits: CreditAccount;
}

async function fetchLeads(
	context: IPollFunctions,
	request: ListRequest,
	budget: number,
): Promise<Poll> {
	const credits = new CreditAccount();
	const time = timeOf(context);
	const api = await openApi(context, 'search', time.signal);
	// A cursor is one row, up to which everything came; several pages at once could leave gaps.
	const settings = { ...request.settings, parallelPages: 1 };
	const [fetch] = planLists(
		'search',
		[{ item: 0, request: { ...request, settings } }],
		NOTHING_PAID,
	);
	if (!fetch) throw new NodeOperationError(context.getNode(), 'There is no search to run');
	const fetched = await runFetch(fetch, {
		endpoint: 'search',
		api,
		credits,
		budget,
		concurrency: new ConcurrencyLimit(),
		logger: context.logger,
		hasTime: time.isLeft,
	});
	const output = new Output();
	fetch.emit({
		add: (item, json) => {
			output.add(item, json);
		},
		addForAny: (items, json) => {
			output.addForAny(items, json);
		},
		hint: (message) => {
			context.logger.warn(`Lead Search Trigger: ${message}`);
		},
	});
	const { missing = [], wanted } = fetch.remainder().rows ?? {};
	return {
		fetched,
		// A trigger has no input items to pair with.
		items: output.items().map(({ json }) => ({ json })),
		offset:
			missing[0]?.from ??
			(fetched.end === 'limit' || fetched.failure
				? (wanted?.to ?? request.skip)
				: request.skip + fetched.rows),
		baseUrl: api.baseUrl,
		credits,
	};
}

/**
 * n8n abandons a poll that takes too long, and with it the leads that were paid for. So no request
 * starts after half of the time, and none goes on until the end of it.
 */
function timeOf(context: IPollFunctions): { signal?: AbortSignal; isLeft: () => boolean } {
	// Older versions of n8n set no bound.
	if (typeof context.getPollBudgetMs !== 'function') return { isLeft: () => true };
	const budget = context.getPollBudgetMs();
	const started = Date.now();
	return {
		signal: AbortSignal.timeout(budget * 0.9),
		isLeft: () => Date.now() - started < budget / 2,
	};
}

/** Only lack of time ends a poll from our side. What could not be repeated for that is to be told. */
function failureOf({ failure, end, rows, retried }: Fetched): Failure | undefined {
	const ranOut = failure?.kind === 'cancelled' || (end === 'outOfTime' && rows === 0);
	return ranOut ? (retried ?? failure) : failure;
}

/** With leads in hand the failure can wait for the next poll, which meets it again if it lasts. */
function warnOrThrow(
	context: IPollFunctions,
	failure: Failure,
	{ fetched, offset, baseUrl, credits }: Poll,
	{ settings }: ListRequest,
): void {
	const text = formatFailure(failure, {
		endpoint: 'search',
		baseUrl,
		sessionToken: false,
		fetched: fetched.rows,
		timeoutMs: settings.timeoutMs,
		isPoll: true,
	});
	const lost =
		credits.possiblyCharged > 0
			? ` Up to ${credits.possiblyCharged} credits may have been charged for answers that were lost.`
			: '';
	const goesOn = `The next poll goes on after lead ${offset}.${lost}`;
	if (fetched.rows > 0) {
		context.logger.warn(`Lead Search Trigger: ${text.message}. ${goesOn}`);
		return;
	}
	throw asNodeError(
		context.getNode(),
		{ message: text.message, description: `${text.description} ${goesOn}` },
		{ status: failure.status, item: 0 },
	);
}

const RESTART: Readonly<Record<RestartReason, string>> = {
	firstPoll: 'first poll',
	searchChanged: 'the filters or options have changed, so the search starts anew',
	unreadable: 'the saved place can not be read, so the search starts anew',
};

function logStart(
	context: IPollFunctions,
	cursor: Cursor,
	restart: RestartReason | undefined,
): void {
	if (restart === undefined) return;
	const from = `from lead ${cursor.offset + 1}`;
	const level = restart === 'unreadable' ? 'warn' : 'info';
	context.logger[level](`Lead Search Trigger: ${RESTART[restart]}, ${from}`);
}
