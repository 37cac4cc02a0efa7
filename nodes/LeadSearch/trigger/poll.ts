/**
 * One poll: the next batch of a search, each lead paid for once. The cursor moves only together with
 * the leads that are handed over.
 */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Json } from '../api/contract';
import { openApi, type ApiAccess } from '../execution/apiAccess';
import { logWait } from '../execution/progress';
import { formatFailure } from '../messages/failures';
import { hintMaxResults, hintRefused } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import {
	formatCeiling,
	formatHalted,
	formatNextPoll,
	formatPoll,
	formatRestart,
	TOO_MANY_RESTARTS,
} from '../messages/polls';
import { LeadList } from '../paging/leadList';
import { accountOf, fetchAll, type Result } from '../paging/run';
import { leadsTask } from '../resources/lead/leads';
import type { SearchRequest } from '../resources/lead/search.operation';
import { clockOf, dayIn, type Clock } from './clock';
import {
	ceilingReached,
	creditsLeft,
	cursorAfter,
	findCursor,
	fingerprintOf,
	restartsTooOften,
	type Cursor,
} from './cursor';
import { readTrigger, type TriggerParameters } from './parameters';
import {
	cursorStorage,
	type CursorStorage,
	findTested,
	isPublishedAgain,
	keepTested,
	rememberContext,
} from './storage';

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
		rememberContext(context);
	}
}

async function poll(context: IPollFunctions, key: string): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	const parameters = readTrigger(context);
	const { request } = parameters;
	const time = clockOf(context);
	const api = await openApi(context, 'search', time.signal);
	const storage = cursorStorage(context, key);
	const found = findCursor(
		storage.copies(),
		fingerprintOf(request.filters, api.baseUrl),
		request.skip,
		{ now: Date.now(), day: dayIn(context.getTimezone()) },
	);
	let { cursor } = found;
	if (!isTest && found.restart !== undefined) {
		const level = found.restart === 'firstPoll' ? 'info' : 'warn';
		log(context, level, formatRestart(found.restart, cursor.row));
	}
	if (restartsTooOften(cursor)) throw asInvalid(context.getNode(), TOO_MANY_RESTARTS);
	const ceiling = ceilingReached(cursor, parameters);
	if (ceiling !== undefined) {
		if (isTest) throw asInvalid(context.getNode(), formatCeiling(ceiling));
		log(context, 'info', ceiling);
		return null;
	}
	if (cursor.isHalted && !isTest) {
		if (!isPublishedAgain(context)) {
			log(context, 'info', formatHalted());
			return null;
		}
		cursor = cursorAfter(cursor, { ...cursor, isHalted: false }, 0);
		storage.save(cursor);
	}

	return await deliver(context, cursor, { key, isTest, parameters, time, api, storage });
}

interface Poll {
	key: string;
	/** Whether somebody tests the trigger in the editor: for one lead, and nothing is saved. */
	isTest: boolean;
	parameters: TriggerParameters;
	time: Clock;
	api: ApiAccess;
	storage: CursorStorage;
}

/** Fetches the leads after the cursor, saves it after them, and tells what it cost and what failed. */
async function deliver(
	context: IPollFunctions,
	cursor: Cursor,
	{ key, isTest, parameters, time, api, storage }: Poll,
): Promise<INodeExecutionData[][] | null> {
	const { request } = parameters;
	const { reusePaidResults: minutes } = request.settings;
	const { row } = cursor;
	const testKey = fingerprintOf(key, api.identity, request.body, request.includeRaw);
	const list = listAt(cursor, findTested(testKey, row, minutes));
	const { result, items } = await fetch(context, api, list, {
		request: { ...request, skip: row, limit: isTest ? 1 : request.limit },
		room: Math.min(isTest ? 1 : Infinity, creditsLeft(cursor, parameters), api.ceiling),
		hasTime: time.isLeft,
	});
	const { charged, atRisk } = list;
	const outcome = outcomeOf(list, row, result);
	// Of a poll that throws, n8n with durable cursors saves nothing, so not what it has cost either.
	const isSaved = !isTest && (!result.failure || outcome.isHalted || list.rows + atRisk > 0);
	if (isSaved) storage.save(cursorAfter(cursor, outcome, charged + atRisk));
	const lead = list.rowAt(row);
	if (isTest && lead && charged > 0) keepTested(testKey, row, lead, minutes);

	log(context, 'info', formatPoll(items.length, charged, atRisk));
	if (result.end === 'refused')
		log(context, 'warn', hintRefused(list.end.proven, list.end.refusal?.text));
	if (result.end === 'maxResults') log(context, 'warn', hintMaxResults());
	if (result.failure) {
		const { message, description } = formatFailure(result.failure, {
			...api,
			fetched: list.rows,
			timeoutMs: request.settings.timeoutMs,
			isPoll: true,
		});
		const isHalted = isSaved && outcome.isHalted;
		const next = isHalted ? formatHalted() : formatNextPoll(outcome.row, atRisk);
		const text = { message, description: `${description} ${next}` };
		const { status } = result.failure;
		const error = asNodeError(context.getNode(), text, { status, item: 0 });
		// With leads in hand a failure can wait for the next poll, which meets it again if it lasts.
		if (items.length > 0) log(context, 'warn', `${message}. ${next}`);
		else if (isSaved) context.__emitError(error);
		else throw error;
	}
	return items.length > 0 ? [items] : null;
}

/** A list of which only the place is known, and the lead that a test has paid for. */
function listAt({ row, sizes, isAtEnd }: Cursor, tested: Json | undefined): LeadList {
	const list = new LeadList();
	list.sizes = { ...sizes };
	if (tested) list.cells.set(row, tested);
	// Credits may have run out there as well.
	if (isAtEnd) list.end.reported = { at: row, isShort: true, saidMore: false, isEmpty: false };
	return list;
}

async function fetch(
	context: IPollFunctions,
	api: ApiAccess,
	list: LeadList,
	wanted: { request: SearchRequest; room: number; hasTime: (waitMs: number) => boolean },
): Promise<{ result: Result; items: INodeExecutionData[] }> {
	const { request, room, hasTime } = wanted;
	const source = { list, hasRaw: request.includeRaw };
	const task = leadsTask('search', [{ item: 0, input: {}, request }], source);
	const [result] = (await fetchAll([task], {
		...api,
		accounts: [accountOf(room)],
		// A cursor is one row, up to which everything came; several pages at once could leave gaps.
		parallelPages: 1,
		maxRetries: request.settings.maxRetries,
		continues: false,
		hasTime,
		onWait: (failure, milliseconds) => {
			logWait(context.logger, failure, milliseconds);
		},
	})) as [Result];
	const { entries, warnings } = task.outcome();
	for (const warning of warnings) log(context, 'warn', warning);
	// A trigger has no input items to pair with, and what comes from JSON.parse is what n8n calls an IDataObject.
	const items = entries.flatMap(({ json }) => json.map((one) => ({ json: one as IDataObject })));
	return { result, items };
}

function outcomeOf(list: LeadList, from: number, { end, failure }: Result) {
	let row = from;
	while (list.rowAt(row)) row++;
	return {
		row,
		sizes: list.sizes,
		// A service may take the end of what a request asked for as the end of the list.
		isAtEnd: end !== 'limit' && list.end.known <= row,
		isHalted: failure?.kind === 'protocolViolation',
	};
}

/** A poll without leads has no output, so n8n's log is all that tells of it. */
function log(context: IPollFunctions, level: 'info' | 'warn', message: string): void {
	context.logger[level](`Lead Search Trigger: ${message}`);
}
