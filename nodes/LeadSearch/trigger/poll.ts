/**
 * One poll: the next batch of a search, each lead paid for once. The place in the search moves only
 * together with the leads that are handed over.
 */
import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { openAccess } from '../operations/access';
import { tellFailure } from '../operations/failureMessages';
import { fetchJob } from '../operations/fetchJob';
import { BadParameter, ItemParameters, type Fetching } from '../operations/itemParameters';
import { asNodeError, asRefusal } from '../operations/nodeErrors';
import { Output } from '../operations/output';
import { readSearch, search } from '../operations/search.operation';
import { CreditAccount } from '../service/credits';
import type { Failure } from '../service/failures';
import { Pace } from '../service/pace';
import type { PullResult } from '../service/pull';
import {
	findPlace,
	fingerprintOf,
	placeAfter,
	type Anew,
	type Place,
	type WhenExhausted,
} from './place';

/** Polls that are under way, by workflow and node: a second one at the same time would pay twice. */
const underWay = new Set<string>();

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or credential that can't be used; NodeApiError when the
 * service let the poll down before any lead came. The place stays where it was
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const key = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	if (underWay.has(key)) {
		context.logger.info('Lead Search Trigger: the poll before is still under way');
		return null;
	}
	underWay.add(key);
	try {
		return await poll(context);
	} finally {
		underWay.delete(key);
	}
}

async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const { request, whenExhausted, credits } = readParameters(context);
	const { skip } = request.fetching;
	const fingerprint = fingerprintOf(request.body, skip);
	const saved = context.getWorkflowStaticData('node');
	const { place, anew } = findPlace(saved.place, fingerprint, skip);
	if (!isTest) logStart(context, place, anew);
	if (place.exhausted && !isTest) return null;

	const passed = isTest && place.exhausted ? skip : place.passed;
	const rows = isTest ? 1 : request.fetching.rows;
	// A place is one row, up to which everything came; several pages at once could leave gaps.
	const fetching = { ...request.fetching, skip: passed, rows, parallelPages: 1 };
	const { result, items, baseUrl } = await fetch(context, { ...request, fetching }, credits);
	if (!isTest && (result.rows > 0 || !result.failure)) {
		saved.place = placeAfter(place, result, { whenExhausted, skip });
	}
	const failure = failureOf(result);
	if (failure) tellOrThrow(context, result, { failure, baseUrl, credits, fetching });
	return items.length > 0 ? [items] : null;
}

function readParameters(context: IPollFunctions) {
	const parameters = new ItemParameters((name) => context.getNodeParameter(name, null));
	try {
		const count = { label: 'Leads per Poll', name: 'leadsPerPoll' };
		return {
			request: readSearch(parameters, count),
			whenExhausted: readWhenExhausted(parameters.value('whenExhausted')),
			credits: new CreditAccount(parameters.creditBudget()),
		};
	} catch (thrown) {
		if (thrown instanceof BadParameter) throw asRefusal(context.getNode(), thrown);
		throw new NodeOperationError(
			context.getNode(),
			thrown instanceof Error ? thrown.message : String(thrown),
		);
	}
}

function readWhenExhausted(value: unknown): WhenExhausted {
	return value === 'startOver' ? 'startOver' : 'stop';
}

async function fetch(
	context: IPollFunctions,
	request: ReturnType<typeof readSearch>,
	credits: CreditAccount,
): Promise<{ result: PullResult; items: INodeExecutionData[]; baseUrl: string }> {
	const time = timeOf(context);
	const access = await openAccess(context, 'search', time.signal);
	const output = new Output(1);
	const [job] = search.plan([{ item: 0, request }]);
	if (!job) throw new NodeOperationError(context.getNode(), 'There is no search to run');
	const result = await fetchJob(job, {
		endpoint: 'search',
		access,
		output,
		credits,
		pace: new Pace(),
		logger: context.logger,
		hasTime: time.isLeft,
	});
	// A trigger has no input items to pair with.
	const items = output.items().map(({ json }) => ({ json }));
	return { result, items, baseUrl: access.baseUrl };
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

/** Only lack of time ends a poll from our side. What it could not try again for that is to be told. */
function failureOf({ failure, end, rows, retried }: PullResult): Failure | undefined {
	const ranOut = failure?.kind === 'cancelled' || (end === 'outOfTime' && rows === 0);
	return ranOut ? (retried ?? failure) : failure;
}

interface Setback {
	failure: Failure;
	baseUrl: string;
	credits: CreditAccount;
	fetching: Fetching;
}

/** With leads in hand the failure can wait for the next poll, which meets it again if it lasts. */
function tellOrThrow(
	context: IPollFunctions,
	{ rows, reached }: PullResult,
	{ failure, baseUrl, credits, fetching }: Setback,
): void {
	const told = tellFailure(failure, {
		endpoint: 'search',
		baseUrl,
		sessionToken: false,
		fetched: rows,
		timeoutMs: fetching.timeoutMs,
		isPoll: true,
	});
	const lost =
		credits.possiblyCharged > 0
			? ` Up to ${credits.possiblyCharged} credits may have been charged for answers that were lost.`
			: '';
	const goesOn = `The next poll goes on after lead ${reached}.${lost}`;
	if (rows > 0) {
		context.logger.warn(`Lead Search Trigger: ${told.message}. ${goesOn}`);
		return;
	}
	throw asNodeError(
		context.getNode(),
		{ message: told.message, description: `${told.description} ${goesOn}` },
		{ status: failure.status, item: 0 },
	);
}

const ANEW: Readonly<Record<Anew, string>> = {
	firstPoll: 'first poll',
	searchChanged: 'the filters or options have changed, so the search starts anew',
	unreadable: 'the saved place can not be read, so the search starts anew',
};

function logStart(context: IPollFunctions, place: Place, anew: Anew | undefined): void {
	if (anew === undefined) return;
	const from = `from lead ${place.passed + 1}`;
	const level = anew === 'unreadable' ? 'warn' : 'info';
	context.logger[level](`Lead Search Trigger: ${ANEW[anew]}, ${from}`);
}
