import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { CONSEQUENCES } from '../api/failures';
import { openApi } from '../execution/apiAccess';
import { runExclusive } from '../cache/locks';
import { formatFailure, type ErrorText } from '../messages/failures';
import { configurationError, formatInvalid, serviceError } from '../messages/nodeErrors';
import * as texts from './texts';
import { formatLost, joinSentences } from '../messages/stoppedRun';
import { canonicalizeSearch, digest, sortLists } from '../parameters/canonical';
import { resolveTimeZone } from '../parameters/timeZone';
import { hasFilter, NoFilterError } from '../resources/lead/filters';
import { shapeRow } from '../resources/simplify';
import { logOf } from '../spending/log';
import { fetchLeads, type FetchResult } from './fetch';
import { readTrigger } from './parameters';
import { startCursor, hasTooManyNewSearches, isPaused, cursorAfter } from './cursor';
import { spendingOn, type SearchCursor } from './cursor';
import { openCursorStorage } from './cursorStorage';

/** The time limit of a poll if n8n sets none. Older versions of n8n never set one. */
const DEFAULT_POLL_MS = 300_000;

/** This long after a poll, n8n has either saved its leads or discarded them. */
const MAX_SAVING_MS = 60_000;

/**
 * The property that marks a context that has polled. n8n polls at an activation, and then on the schedule with the same
 * context, so the mark tells these polls apart. A variable of this file couldn't replace it: an update on n8n's page of
 * community nodes loads this file again, without an activation.
 */
const POLLED = Symbol.for('n8n-nodes-lead-search: polled');

/**
 * Carries out one poll, and saves its cursor.
 *
 * @returns null if there are no leads
 * @throws NodeOperationError for an invalid parameter or credential, or if {@link findSkipReason} or {@link reportOnce}
 * throws it. NodeApiError for a poll without leads, if it is a test or has failed without anything to save. A poll at
 * an activation reports errors to n8n instead, because a thrown error would keep the workflow from starting
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// The first poll of a context is an activation, unless the durable scheduler polls, which sets a time limit.
	const isNew = !Reflect.has(context, POLLED) && pollTimeOf(context) === DEFAULT_POLL_MS;
	const isAtActivation = isNew && context.getMode() !== 'manual';
	Reflect.set(context, POLLED, true);
	const poll = async () => {
		const opened = await openPoll(context, isAtActivation);
		const act = async () => await pollOnce(opened);
		// The triggers of a workflow share the limit of a day, and perhaps a search. A test in the editor doesn't count.
		const keys = new Set([opened.storage.key]);
		const items = await (opened.isTest ? act() : runExclusive(keys, act, opened));
		return items.length > 0 ? [items] : null;
	};
	if (!isAtActivation) return await poll();
	return await poll().catch((thrown: unknown) => {
		context.__emitError(thrown as NodeOperationError);
		return null;
	});
}

/** Returns the time limit in milliseconds. n8n abandons a longer poll, and discards the leads that it has paid for. */
function pollTimeOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_POLL_MS;
}

export type Poll = Awaited<ReturnType<typeof openPoll>>;

async function openPoll(context: IPollFunctions, isAtActivation: boolean) {
	const isTest = context.getMode() === 'manual';
	const [startedAt, budgetMs] = [Date.now(), pollTimeOf(context)];
	const signal = AbortSignal.timeout(budgetMs * 0.9);
	const { request, limits } = readTrigger(context);
	const api = await openApi(context, 'search', signal);
	// The order of keys and list values doesn't matter.
	const fingerprint = digest(sortLists([canonicalizeSearch(request.filters), api.baseUrl]));
	const fail = (text: ErrorText) => configurationError(context.getNode(), text);
	const storage = openCursorStorage(context);
	return {
		context,
		isTest,
		isAtActivation,
		fail,
		storage,
		log: logOf(context),
		request,
		limits,
		api,
		fingerprint,
		startedAt,
		signal,
		budgetMs,
	};
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[]> {
	const { isTest, storage, log, request, api } = poll;
	if (!storage.load(poll.fingerprint)) {
		log('warn', reportOnce(poll, texts.UNREADABLE));
		return [];
	}
	const state = readState(poll);
	const { cursor, today, paidSince, remaining } = state;
	const note = findSkipReason(poll, state);
	if (note !== undefined) {
		log('info', note, cursor.row);
		return [];
	}
	storage.memory.reported = undefined;
	const fetched = await fetchLeads(poll, cursor, {
		limit: isTest ? 1 : request.limit,
		credits: Math.max(0, Math.min(remaining, api.ceiling, isTest ? 1 : Infinity)),
		paidSince,
	});
	const { charged, possiblyCharged, requests } = fetched.spent;
	// Reused leads move the cursor even if a request failed and cost nothing.
	const isSaved = !isTest && (!fetched.failure || charged + possiblyCharged + fetched.advance > 0);
	const after = isSaved ? cursorAfter(cursor, fetched, Date.now()) : cursor;
	const counted = isSaved ? charged + possiblyCharged : 0;
	const creditsToday = today.spent + counted;
	const creditsThisMonth = today.spentThisMonth + counted;
	const usage = {
		credits: charged,
		creditsToday,
		creditsThisMonth,
		creditsInTotal: after.spentInTotal,
		creditsUntilLimit: remaining === Infinity ? null : remaining - counted,
		requests,
		deliveredBefore: fetched.oldLeads,
		cursor: after.row,
	};
	// A trigger has no input items to pair with. Rows come from JSON.parse, so they are IDataObjects of n8n.
	const { fields, includeRaw, settings } = request;
	const items = fetched.rows.map((row) => ({
		json: {
			...shapeRow(row, fields, includeRaw),
			...(settings.includesUsage && { usage: { ...usage } }),
		},
	}));
	if (!('thrown' in fetched)) reportOutcome(poll, { fetched, before: cursor, after, isSaved });
	// Spending is saved before `thrown` ends the poll.
	if (isSaved)
		storage.save(
			after,
			{ [today.day]: creditsToday, [today.month]: creditsThisMonth },
			items.length > 0 ? { cursor, since: paidSince } : undefined,
		);
	else if (cursor.pausedUntil > 0 && fetched.advance > 0) storage.endPause(cursor);
	if ('thrown' in fetched) throw fetched.thrown;
	return items;
}

/**
 * Reads the cursor, and what the limits still allow. `unsaved` is set if n8n isn't known to have saved the leads of the
 * previous poll: it is the revision of the cursor after that poll, which is about the time of the poll.
 */
function readState(poll: Poll) {
	const { context, isAtActivation, storage, log, fingerprint, limits, request } = poll;
	const now = Date.now();
	const { searches, spent, handedOver } = storage.memory;
	const setting = context.getTimezone();
	const zone = resolveTimeZone(setting);
	if (zone === undefined) log('warn', texts.formatUnknownTimeZone(setting));
	const today = spendingOn(spent, now, zone ?? 'UTC');
	const saved = searches.find((search) => search.fingerprint === fingerprint);
	const search = saved ?? startCursor(fingerprint, isAtActivation ? 0 : now);
	const cursor = { ...search, row: Math.max(search.row, request.skip) };
	const remaining = Math.min(
		limits.perDay - today.spent,
		limits.perMonth - today.spentThisMonth,
		limits.inTotal - cursor.spentInTotal,
	);
	// If a workflow is published during a poll, n8n discards the leads of the poll, so they are returned again.
	const { revision: unsaved, since: paidSince = now } = handedOver.get(fingerprint) ?? {};
	return { now, cursor, isNew: saved === undefined, today, remaining, unsaved, paidSince };
}

/**
 * @returns why the poll sends nothing, for the log; undefined if it fetches leads
 * @throws NodeOperationError if too many searches were started, or if no filter is set (except at an activation). A
 * test also throws it if a limit is spent
 */
function findSkipReason(poll: Poll, state: ReturnType<typeof readState>): string | undefined {
	const { fail, isTest, isAtActivation, storage, log } = poll;
	const { now, cursor, isNew, today, unsaved } = state;
	if (!hasFilter(poll.request.filters)) {
		const text = formatInvalid(new NoFilterError());
		if (isAtActivation) return text.message;
		throw fail(text);
	}
	const spent = texts.formatSpentLimit(today, cursor.spentInTotal, poll.limits);
	if (isTest && spent) throw fail(spent);
	if (isTest) return undefined;
	if (poll.signal.aborted) return texts.STILL_POLLING;
	// n8n may have read its data before it saved the previous poll.
	if (unsaved !== undefined && Math.abs(now - unsaved) < MAX_SAVING_MS) return texts.NOT_YET_SAVED;
	if (isAtActivation && !isNew) return texts.formatActivation(cursor.row);
	const { searches } = storage.memory;
	if (isNew) log(searches.length > 0 ? 'warn' : 'info', texts.formatStart(cursor.row), cursor.row);
	if (isNew && hasTooManyNewSearches([...searches, cursor], now))
		throw fail(texts.TOO_MANY_SEARCHES);
	if (unsaved !== undefined) log('warn', texts.NOT_SAVED, cursor.row);
	if (unsaved !== undefined) return undefined;
	if (spent) return reportOnce(poll, spent);
	return isPaused(cursor, now) ? texts.formatPause(cursor.pausedUntil) : undefined;
}

/**
 * Reports why a poll sends nothing, and returns the message. n8n shows the error as a failed execution, where users
 * look for it. Polls in a row show it once. A test throws it.
 */
function reportOnce(poll: Poll, text: ErrorText): string {
	const { context, fail, isTest, storage } = poll;
	if (isTest) throw fail(text);
	if (storage.memory.reported !== text.message) context.__emitError(fail(text));
	storage.memory.reported = text.message;
	return text.message;
}

/**
 * Writes the outcome to n8n's log, and reports a failure, old leads or a poll that found nothing as an error.
 *
 * Without leads, the error is thrown in a test, and if nothing has to be saved. From its cause, for example
 * 'rate-limited', n8n 2.41 and later choose how long to wait before the next poll. With leads, a temporary failure is
 * only logged: if it lasts, the next poll reports it. A pause that goes on is only logged, too.
 */
function reportOutcome(
	{ context, isTest, log, api, request }: Poll,
	poll: { fetched: FetchResult; before: SearchCursor; after: SearchCursor; isSaved: boolean },
): void {
	const { fetched, before, after, isSaved } = poll;
	const { failure, rows, oldLeads, spent, warnings } = fetched;
	const { row, pausedUntil, revision } = after;
	const position = { row, advance: isSaved ? fetched.advance : 0 };
	log('info', texts.formatPoll(rows.length, spent, position), row);
	for (const warning of warnings) log('warn', warning, row);
	const about = { ...api, ...request.settings, fetched: rows.length, isPoll: true };
	const isPausing = isSaved && isPaused(after, Date.now());
	const hasNoMatches = rows.length === 0 && (isTest || revision === 0 || isPausing);
	const noMatches = hasNoMatches ? texts.formatNoMatches(row, spent, warnings) : undefined;
	const text = failure
		? formatFailure(failure, about)
		: (texts.formatOldLeads(oldLeads, spent.charged) ?? noMatches);
	if (!text) return;
	const next = isPausing ? texts.formatPause(pausedUntil) : texts.formatNextPoll(row);
	const description = joinSentences(text.description, next, formatLost(spent));
	const error = serviceError(context.getNode(), { ...text, description }, { failure, item: 0 });
	if (rows.length === 0 && (isTest || !isSaved)) throw error;
	if (rows.length > 0 || isPausing) log('warn', `${text.message}. ${next}`, row);
	// A poll is cancelled near the end of its time, if the service is slow.
	const isTemporary =
		!failure || failure.kind === 'cancelled' || CONSEQUENCES[failure.kind].isRetried === true;
	const isLoggedOnly =
		rows.length > 0 ? isTest || isTemporary : isPausing && before.pausedUntil > 0;
	if (!isLoggedOnly) context.__emitError(error);
}
