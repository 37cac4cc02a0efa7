/** One poll: the next leads of a search. The cursor moves only together with leads that are handed over. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openApi } from '../execution/apiAccess';
import { formatFailure } from '../messages/failures';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import {
	formatNextPoll,
	formatPoll,
	formatRestart,
	formatTimeZone,
	ONCE_A_DAY,
	SPENT_IN_VAIN,
} from '../messages/polls';
import { formatLost } from '../messages/stoppedRun';
import { LeadList } from '../paging/leadList';
import { accountOf, fetchAll, type Result } from '../paging/run';
import { leadsTask } from '../resources/lead/leads';
import type { Outcome } from '../resources/operation';
import {
	afterSpending,
	cursorAfter,
	dayAt,
	decide,
	findCursor,
	fingerprintOf,
	isPaidAgain,
	spentOn,
} from './cursor';
import { readTrigger } from './parameters';
import { storageOf } from './storage';

/** The time of a poll in older versions of n8n, which set no bound. */
const NO_BUDGET_MS = 300_000;

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or the credential; NodeApiError when no lead came and nothing
 * may have been charged: else n8n is told of the failure instead
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const storage = storageOf(context);
	if (storage.memory.isPolling) {
		log(context, 'info', 'the poll before is still under way');
		return null;
	}
	storage.memory.isPolling = true;
	try {
		const items = await poll(context, storage);
		return items.length > 0 ? [items] : null;
	} finally {
		storage.memory.isPolling = false;
	}
}

async function poll(
	context: IPollFunctions,
	{ memory, copies, save }: ReturnType<typeof storageOf>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const isTest = context.getMode() === 'manual';
	const { request, ceilings } = readTrigger(context);
	const { reusePaidResults, timeoutMs } = request.settings;
	const now = Date.now();
	const timeZone = context.getTimezone();
	const day = dayAt(now, timeZone);
	if (day === undefined) throw asInvalid(node, formatTimeZone(timeZone));
	// n8n abandons a poll that takes longer, and with it the leads that were paid for.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : NO_BUDGET_MS;
	const api = await openApi(context, 'search', AbortSignal.timeout(budgetMs * 0.9));

	const fingerprint = fingerprintOf(request.filters, api.baseUrl);
	const time = { now, day };
	const { cursor, restart } = findCursor(copies, fingerprint, request.skip, time);
	const { row } = cursor;
	// Another node's static data may set the saved one back before the next poll.
	if (!restart) memory.cursor = cursor;
	if (restart && !isTest)
		log(context, restart === 'firstPoll' ? 'info' : 'warn', formatRestart(restart, row));
	const decision = decide(cursor, ceilings, isTest);
	if ('refusal' in decision) throw asInvalid(node, decision.refusal);
	if ('note' in decision) {
		log(context, 'info', decision.note);
		return [];
	}

	const place = fingerprintOf(api.identity, request.body, row);
	const { includeRaw: hasRaw } = request;
	const { tested } = memory;
	const isSame = tested?.place === place && (tested.hasRaw || !hasRaw);
	const isReused = isSame && tested.paidAt > now - reusePaidResults * 60_000;
	const { served: pageSize, isAtEnd: mayEnd } = cursor;
	const list = LeadList.from({ row, pageSize, mayEnd, lead: isReused ? tested.lead : undefined });
	// What a test has paid for counts once it is delivered.
	const paidByTest = isReused && !isTest ? 1 : 0;
	const wanted = { ...request, skip: row, limit: isTest ? 1 : request.limit };
	const asked = { item: 0, input: {}, request: wanted };
	const task = leadsTask('search', [asked], list, hasRaw);
	let fetched: { result: Result; outcome: Outcome } | undefined;
	try {
		const [result] = (await fetchAll([task], {
			...api,
			...request.settings,
			// So that none goes on until the end of the poll's time.
			hasTime: (waitMs) => Date.now() + waitMs - now < budgetMs / 2,
			accounts: [accountOf(Math.min(decision.room - paidByTest, api.ceiling))],
			// A cursor is one row, up to which everything came; several pages at once could leave gaps.
			parallelPages: 1,
			continues: false,
		})) as [Result];
		fetched = { result, outcome: task.outcome(result.end) };
	} finally {
		// Nothing is handed over, but what was spent is spent.
		if (!fetched && !isTest) save(afterSpending(cursor, spentOn(list)));
	}
	const { result, outcome } = fetched;
	const { charged, atRisk } = list;
	const { failure } = result;
	const { entries, warnings } = outcome;
	// A trigger has no input items to pair with; what comes from JSON.parse is n8n's IDataObject.
	const items = entries.flatMap(({ json }) => json.map((one) => ({ json: one as IDataObject })));
	const after = cursorAfter(cursor, list, result, paidByTest);
	const isPaused = isPaidAgain(result, charged + (isReused ? 1 : 0), after.row - row);
	after.pausedOn = isPaused ? day : undefined;
	// Of a poll that throws, n8n with durable cursors saves nothing, so not what it has cost either.
	const isSaved = !isTest && (!failure || isPaused || list.rows + atRisk > 0);
	if (isSaved) save(after);
	const lead = list.rowAt(row);
	if (isTest && lead && charged > 0) memory.tested = { lead, place, hasRaw, paidAt: now };

	log(context, 'info', formatPoll(items.length, charged, atRisk));
	for (const warning of warnings) if (warning) log(context, 'warn', warning);
	if (isPaused && isSaved) log(context, 'warn', ONCE_A_DAY);
	const isInVain = result.end === 'budget' && items.length === 0 && atRisk > 0;
	if (failure || isInVain) {
		const where = { ...api, fetched: list.rows, timeoutMs, isPoll: true };
		const { message, description } = failure ? formatFailure(failure, where) : SPENT_IN_VAIN;
		const next = isPaused && isSaved ? ONCE_A_DAY : formatNextPoll(after.row);
		const text = { message, description: `${description} ${next} ${formatLost(list)}`.trim() };
		const error = asNodeError(node, text, { failure, item: 0 });
		// With leads in hand a failure can wait for the next poll, which meets it again if it lasts.
		if (items.length > 0) log(context, 'warn', isPaused ? message : `${message}. ${next}`);
		else if (isSaved) context.__emitError(error);
		else throw error;
	}
	return items;
}

/** A poll without leads has no output, so n8n's log is all that tells of it. */
function log(context: IPollFunctions, level: 'info' | 'warn', message: string): void {
	context.logger[level](`Lead Search Trigger: ${message}`);
}
