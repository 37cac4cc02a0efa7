/** One poll: the next leads of a search. The cursor moves only together with leads that are handed over. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openApi } from '../execution/apiAccess';
import { formatFailure } from '../messages/failures';
import { hintMaxResults, hintRefused } from '../messages/hints';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import { formatNextPoll, formatPoll, formatRestart, HALTED } from '../messages/polls';
import { accountOf, fetchAll, type Result } from '../paging/run';
import { leadsTask } from '../resources/lead/leads';
import { cursorAfter, decide, findCursor, fingerprintOf, listAt } from './cursor';
import { readTrigger } from './parameters';
import { cursorStorage, isPublishedAgain, memoryOf, type Memory } from './storage';

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or credential that can't be used; NodeApiError when the
 * service failed before any lead came; where it may have charged, n8n is told of that instead
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const memory = memoryOf(context);
	if (memory.isPolling) {
		log(context, 'info', 'the poll before is still under way');
		return null;
	}
	memory.isPolling = true;
	try {
		const items = await poll(context, memory);
		return items.length > 0 ? [items] : null;
	} finally {
		memory.isPolling = false;
	}
}

async function poll(context: IPollFunctions, memory: Memory): Promise<INodeExecutionData[]> {
	const isTest = context.getMode() === 'manual';
	const isPublished = isPublishedAgain(context);
	const { request, ceilings } = readTrigger(context);
	const { maxRetries, reusePaidResults, timeoutMs } = request.settings;
	const { signal, hasTime, ...time } = timeOf(context);
	const api = await openApi(context, 'search', signal);

	const storage = cursorStorage(context, memory);
	const fingerprint = fingerprintOf(request.filters, api.baseUrl);
	const found = findCursor(storage.copies, fingerprint, request.skip, time);
	let { cursor } = found;
	// Now, since a poll that fails may save nothing.
	if (cursor.isHalted && isPublished) cursor = storage.save({ ...cursor, isHalted: false });
	const { row } = cursor;
	if (found.restart !== undefined && !isTest) {
		const level = found.restart === 'firstPoll' ? 'info' : 'warn';
		log(context, level, formatRestart(found.restart, row));
	}
	const decision = decide(cursor, ceilings, isTest);
	if ('refusal' in decision) throw asInvalid(context.getNode(), decision.refusal);
	if ('note' in decision) {
		log(context, 'info', decision.note);
		return [];
	}

	const list = listAt(cursor);
	const place = fingerprintOf(api.identity, request.body, request.includeRaw, row);
	const { tested } = memory;
	const isReused = tested?.place === place && tested.paidAt > time.now - reusePaidResults * 60_000;
	if (isReused) list.cells.set(row, tested.lead);
	const wanted = { ...request, skip: row, limit: isTest ? 1 : request.limit };
	const source = { list, hasRaw: request.includeRaw };
	const task = leadsTask('search', [{ item: 0, input: {}, request: wanted }], source);
	const [result] = (await fetchAll([task], {
		...api,
		hasTime,
		accounts: [accountOf(Math.min(decision.room, api.ceiling))],
		// A cursor is one row, up to which everything came; several pages at once could leave gaps.
		parallelPages: 1,
		maxRetries,
		continues: false,
	})) as [Result];

	const { charged, atRisk } = list;
	const { end, failure } = result;
	const after = cursorAfter(cursor, list, result);
	// Of a poll that throws, n8n with durable cursors saves nothing, so not what it has cost either.
	const isSaved = !isTest && (!failure || after.isHalted || list.rows + atRisk > 0);
	if (isSaved) storage.save(after);
	const lead = list.rowAt(row);
	if (isTest && lead && charged > 0) memory.tested = { lead, place, paidAt: time.now };

	const { entries, warnings } = task.outcome();
	// A trigger has no input items to pair with, and what comes from JSON.parse is what n8n calls an IDataObject.
	const items = entries.flatMap(({ json }) => json.map((one) => ({ json: one as IDataObject })));
	if (end === 'refused') warnings.push(hintRefused(list.end.proven, list.end.refusal?.text));
	if (end === 'maxResults') warnings.push(hintMaxResults());
	log(context, 'info', formatPoll(items.length, charged, atRisk));
	for (const warning of warnings) log(context, 'warn', warning);
	if (failure) {
		const where = { ...api, fetched: list.rows, timeoutMs, isPoll: true };
		const { message, description } = formatFailure(failure, where);
		const next = isSaved && after.isHalted ? HALTED : formatNextPoll(after.row, atRisk);
		const text = { message, description: `${description} ${next}` };
		const error = asNodeError(context.getNode(), text, { status: failure.status, item: 0 });
		// With leads in hand a failure can wait for the next poll, which meets it again if it lasts.
		if (items.length > 0) log(context, 'warn', `${message}. ${next}`);
		else if (isSaved) context.__emitError(error);
		else throw error;
	}
	return items;
}

/**
 * The time of a poll. n8n abandons one that takes too long, and with it the leads that were paid for: so
 * no request starts after half of its time, and none goes on until the end of it.
 */
function timeOf(context: IPollFunctions) {
	const now = Date.now();
	// Older versions of n8n set no bound.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : 300_000;
	const hasTime = (waitMs: number) => Date.now() + waitMs - now < budgetMs / 2;
	const signal = AbortSignal.timeout(budgetMs * 0.9);
	return { now, timeZone: context.getTimezone(), hasTime, signal };
}

/** A poll without leads has no output, so n8n's log is all that tells of it. */
function log(context: IPollFunctions, level: 'info' | 'warn', message: string): void {
	context.logger[level](`Lead Search Trigger: ${message}`);
}
