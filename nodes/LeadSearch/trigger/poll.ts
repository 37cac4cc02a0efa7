/** One poll: the next leads of a search. The place moves only together with leads that are handed over. */
import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { CONSEQUENCES } from '../api/failures';
import { openApi } from '../execution/apiAccess';
import { runExclusive } from '../cache/locks';
import { formatFailure, type ErrorText } from '../messages/failures';
import { configurationError, serviceError } from '../messages/nodeErrors';
import * as texts from '../messages/polls';
import { formatLost } from '../messages/stoppedRun';
import { canonicalizeSearch, digest, sortLists } from '../parameters/canonical';
import { shapeRow } from '../resources/simplify';
import { logOf } from '../spending/log';
import { fetchLeads, type FetchResult } from './fetch';
import { readTrigger } from './parameters';
import { startCursor, hasTooManyNewSearches, isPaused, cursorAfter } from './cursor';
import { spendingOn, resolveTimeZone, type SearchCursor } from './cursor';
import { openCursorStorage } from './cursorStorage';

/** The time of a poll in milliseconds where n8n sets no bound, as older versions never do. */
const DEFAULT_POLL_MS = 300_000;

/** After so many milliseconds n8n has saved what it was handed, or never will. */
const MAX_SAVING_MS = 10_000;

/** Those that have polled: n8n polls once at an activation, and by the schedule with the same context. */
const polled = new WeakSet<IPollFunctions>();

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or the credential; NodeApiError when no lead came and nothing may have been
 * charged. At an activation n8n is told of it instead: thrown, it would keep the workflow from starting
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// Whether n8n polls since it has started, or somebody has published; its durable scheduler sets a bound, and is no start.
	const isNew = !polled.has(context) && pollTimeOf(context) === DEFAULT_POLL_MS;
	const isAtActivation = isNew && context.getMode() !== 'manual';
	polled.add(context);
	const poll = async () => {
		const opened = await openPoll(context, isAtActivation);
		const act = async () => await pollOnce(opened);
		// A test pays for its lead in any case; triggers share a workflow's maximum of a day, and perhaps a search.
		const claims = new Set([opened.storage.key]);
		const items = await (opened.isTest ? act() : runExclusive(claims, act, opened));
		return items.length > 0 ? [items] : null;
	};
	if (!isAtActivation) return await poll();
	return await poll().catch((thrown: unknown) => {
		context.__emitError(thrown as NodeOperationError);
		return null;
	});
}

/** @returns milliseconds after which n8n abandons a poll, and with it the leads that were paid for */
function pollTimeOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_POLL_MS;
}

/** What a poll works with. */
export type Poll = Awaited<ReturnType<typeof openPoll>>;

async function openPoll(context: IPollFunctions, isAtActivation: boolean) {
	const isTest = context.getMode() === 'manual';
	const [startedAt, budgetMs] = [Date.now(), pollTimeOf(context)];
	const signal = AbortSignal.timeout(budgetMs * 0.9);
	const { request, limits } = readTrigger(context);
	const api = await openApi(context, 'search', signal);
	// What selects leads, whatever the order of keys and list values.
	const fingerprint = digest(sortLists([canonicalizeSearch(request.filters), api.baseUrl]));
	const fail = (text: ErrorText) => configurationError(context.getNode(), text);
	const storage = openCursorStorage(context);
	return {
		...{ context, isTest, isAtActivation, fail, storage, log: logOf(context) },
		...{ request, limits, api, fingerprint, startedAt, signal, budgetMs },
	};
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[]> {
	const { isTest, storage, log, request, api } = poll;
	const state = readState(poll);
	const { cursor, today, unsaved, remaining } = state;
	const note = findSkipReason(poll, state);
	if (note !== undefined) {
		log('info', note, cursor.row);
		return [];
	}
	const fetched = await fetchLeads(poll, cursor, {
		limit: isTest ? 1 : request.limit,
		credits: Math.max(0, Math.min(remaining, api.ceiling, isTest ? 1 : Infinity)),
		isUnsaved: unsaved !== undefined,
	});
	const { charged, possiblyCharged, requests } = fetched.spent;
	// What comes from memory may come beside a failure that cost nothing.
	const isSaved = !isTest && (!fetched.failure || charged + possiblyCharged + fetched.advance > 0);
	const after = isSaved ? cursorAfter(cursor, fetched, Date.now()) : cursor;
	const counted = isSaved ? charged + possiblyCharged : 0;
	const creditsToday = today.spent + counted;
	const usage = {
		...{ credits: charged, creditsToday, creditsInTotal: after.spentInTotal },
		creditsLeft: remaining === Infinity ? null : remaining - counted,
		...{ requests, place: after.row },
	};
	// A trigger has no input items to pair with; what comes from JSON.parse is n8n's IDataObject.
	const { form, includeRaw, settings } = request;
	const items = fetched.rows.map((row) => ({
		json: {
			...shapeRow(row, form, includeRaw),
			...(settings.includesUsage && { usage: { ...usage } }),
		},
	}));
	if (!('thrown' in fetched)) reportOutcome(poll, { fetched, after, isSaved });
	// Last, so that a poll that throws has handed nothing over; but what was spent is spent.
	if (isSaved)
		storage.save(after, { [today.day]: creditsToday }, items.length > 0 ? cursor : undefined);
	else if (cursor.pausedUntil > 0 && fetched.advance > 0) storage.endPause(cursor);
	if ('thrown' in fetched) throw fetched.thrown;
	return items;
}

/** @returns where a poll is, and what it may spend */
function readState(poll: Poll) {
	const { context, fail, isAtActivation, storage, log, fingerprint, limits, request } = poll;
	const now = Date.now();
	if (!storage.read(fingerprint)) throw fail(texts.UNREADABLE);
	const { searches, days, handedOver } = storage.memory;
	const setting = context.getTimezone();
	const zone = resolveTimeZone(setting);
	if (zone === undefined) log('warn', texts.formatNoZone(setting));
	const today = spendingOn(days, now, zone ?? 'UTC');
	const saved = searches.find((search) => search.fingerprint === fingerprint);
	const startedAt = saved ?? startCursor(fingerprint, isAtActivation ? 0 : now);
	// It moves a place on, never back.
	const cursor = { ...startedAt, row: Math.max(startedAt.row, request.skip) };
	const remaining = Math.min(limits.perDay - today.spent, limits.inTotal - cursor.spentInTotal);
	// n8n throws away what a poll returns where the workflow is published meanwhile: its leads come once more.
	const unsaved = handedOver.get(fingerprint)?.revision;
	return { now, cursor, isNew: saved === undefined, today, remaining, unsaved };
}

/** @returns why nothing is fetched; undefined where it is */
function findSkipReason(poll: Poll, state: ReturnType<typeof readState>): string | undefined {
	const { context, fail, isTest, isAtActivation, storage, log } = poll;
	const { now, cursor, isNew, today, unsaved } = state;
	const spent = texts.formatSpent(today, cursor.spentInTotal, poll.limits);
	if (isTest && spent) throw fail(spent);
	if (isTest) return undefined;
	if (poll.signal.aborted) return texts.STILL_POLLING;
	// It may have read its data before it saved the poll before.
	if (unsaved !== undefined && Math.abs(now - unsaved) < MAX_SAVING_MS) return texts.NOT_YET_SAVED;
	if (isAtActivation && !isNew) return texts.formatActivation(cursor.row);
	const { searches } = storage.memory;
	if (isNew) log(searches.length > 0 ? 'warn' : 'info', texts.formatStart(cursor.row), cursor.row);
	if (isNew && hasTooManyNewSearches([...searches, cursor], now))
		throw fail(texts.TOO_MANY_SEARCHES);
	if (unsaved !== undefined) log('warn', texts.NOT_SAVED, cursor.row);
	if (unsaved !== undefined) return undefined;
	if (!spent) return isPaused(cursor, now) ? texts.formatPause(cursor.pausedUntil) : undefined;
	// Where people look: a trigger that sends nothing has no executions.
	if (storage.memory.reportedLimit !== spent.message) context.__emitError(fail(spent));
	storage.memory.reportedLimit = spent.message;
	return spent.message;
}

/**
 * Says what a poll has cost and what went wrong: thrown where nothing came and nothing is to be saved, so that n8n waits
 * as the error declares. With leads, what passes by itself is only logged: the next poll meets it again.
 */
function reportOutcome(
	{ context, isTest, log, api, request }: Poll,
	{ fetched, after, isSaved }: { fetched: FetchResult; after: SearchCursor; isSaved: boolean },
): void {
	const { failure, rows, spent, warnings } = fetched;
	const { row, pausedUntil, revision } = after;
	log('info', texts.formatPoll(rows.length, spent, row), row);
	for (const warning of warnings) log('warn', warning, row);
	const about = { ...api, ...request.settings, fetched: rows.length, isPoll: true };
	const hasNoMatches = rows.length === 0 && (isTest || revision === 0);
	const noMatches = hasNoMatches ? texts.formatNoMatches(row, spent.charged, warnings) : undefined;
	const text = failure
		? formatFailure(failure, about)
		: (texts.formatOld(fetched.oldLeads) ?? noMatches);
	const waits = isSaved && isPaused(after, Date.now());
	const next = waits ? texts.formatPause(pausedUntil) : texts.formatNextPoll(row);
	if (waits) log('warn', next, row);
	if (text) {
		const description = [text.description, next, formatLost(spent)].join(' ').trim();
		const error = serviceError(context.getNode(), { ...text, description }, { failure, item: 0 });
		if (rows.length > 0) log('warn', `${text.message}. ${next}`, row);
		else if (isTest || !isSaved) throw error;
		// n8n abandons a poll where the service is slow.
		const passes =
			failure?.kind === 'cancelled' || (failure && CONSEQUENCES[failure.kind].isRetried);
		if (rows.length === 0 || !(isTest || passes)) context.__emitError(error);
	}
}
