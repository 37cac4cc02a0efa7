/** One poll: the next leads of a search. The place moves only together with leads that are handed over. */
import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { CONSEQUENCES, type Failure } from '../api/failures';
import { openApi, type ApiAccess } from '../execution/apiAccess';
import { logOf } from '../execution/log';
import { inTurn } from '../execution/turns';
import { formatFailure, type Circumstances, type ErrorText } from '../messages/failures';
import { asInvalid, asNodeError, messageOf } from '../messages/nodeErrors';
import * as texts from '../messages/polls';
import { formatLost } from '../messages/stoppedRun';
import { fetchLeads, type Fetched } from './fetch';
import { readTrigger } from './parameters';
import { beginsTooMany, dayAt, fingerprintOf, openPlace, placeAfter } from './place';
import { spentOn, unmoved, waitsUntil, type SearchPlace } from './place';
import { storageOf } from './storage';

/** The time of a poll in milliseconds where n8n sets no bound, as older versions never do. */
const NO_BOUND_MS = 300_000;

/** After so many milliseconds n8n has saved what it was handed, or never will. */
const SAVING_MS = 10_000;

/** Those that have polled: n8n polls once at an activation, and by the schedule with the same one. */
const known = new WeakSet<IPollFunctions>();

/** What a poll works with. */
type Poll = ReturnType<typeof open>;

function open(context: IPollFunctions) {
	// Milliseconds after which n8n abandons a poll, and with it the leads that were paid for.
	const budgetMs = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : NO_BOUND_MS;
	// Whether somebody tests the trigger in the editor.
	const isTest = context.getMode() === 'manual';
	// Whether n8n polls since somebody has published the workflow, n8n started, or repairs it. Its durable scheduler makes
	// a context for each poll, and sets a bound.
	const isAtActivation = !isTest && !known.has(context) && budgetMs === NO_BOUND_MS;
	known.add(context);
	const fail = (text: ErrorText) => asInvalid(context.getNode(), text);
	const storage = storageOf(context);
	return { context, fail, budgetMs, isTest, isAtActivation, storage, log: logOf(context) };
}

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or the credential; NodeApiError when no lead came and nothing may have been
 * charged. At an activation n8n is told of it instead: thrown, it would keep the workflow from starting
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const poll = open(context);
	const items = await (poll.isAtActivation ? pollAtActivation(poll) : pollOnce(poll));
	return items.length > 0 ? [items] : null;
}

async function pollAtActivation(poll: Poll): Promise<INodeExecutionData[]> {
	try {
		return await pollOnce(poll);
	} catch (thrown) {
		poll.log('warn', messageOf(thrown));
		poll.context.__emitError(thrown as NodeOperationError);
		return [];
	}
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[]> {
	const { context, budgetMs, isTest, storage, log } = poll;
	const began = Date.now();
	const signal = AbortSignal.timeout(budgetMs * 0.9);
	const { request, ceilings } = readTrigger(context);
	const api = await openApi(context, 'search', signal);
	const fingerprint = fingerprintOf(request.filters, api.baseUrl);
	const asked = { request, ceilings, api, fingerprint, began, signal };
	// It pays for its lead in any case, and moves no place.
	if (isTest) return await pollSearch(poll, asked);
	const memory = storage.memoryOf(fingerprint);
	if (memory.isPolling) {
		log('info', 'the poll before is still under way');
		return [];
	}
	memory.isPolling = true;
	try {
		// Triggers of a workflow share what may be spent on a day.
		return await inTurn(new Set([storage.key]), async () => await pollSearch(poll, asked), {
			signal,
		});
	} finally {
		memory.isPolling = false;
	}
}

interface Asked extends ReturnType<typeof readTrigger> {
	api: ApiAccess;
	fingerprint: string;
	/** When the poll began, in milliseconds since 1970. */
	began: number;
	signal: AbortSignal;
}

async function pollSearch(poll: Poll, asked: Asked): Promise<INodeExecutionData[]> {
	const { context, fail, budgetMs, isTest, isAtActivation, storage, log } = poll;
	const { request, ceilings, api, fingerprint, began, signal } = asked;
	const { skip, settings } = request;
	const now = Date.now();
	const saved = storage.find(fingerprint);
	if (!saved) throw fail(texts.UNREADABLE);
	const memory = storage.memoryOf(fingerprint);
	// n8n throws away what a poll returns where the workflow is published meanwhile: its leads come once more.
	const { unsaved } = memory;
	// It may have read its data before it saved the poll before.
	if (unsaved && now - unsaved.last < SAVING_MS && !isTest) {
		log('info', texts.NOT_YET_SAVED);
		return [];
	}
	const place = openPlace(saved, { fingerprint, skip }, now);
	const { row } = place;
	const { day, spent: spentToday } = spentOn(dayAt(now, context.getTimezone()), saved);

	const isNew = !saved.some((one) => one.fingerprint === fingerprint);
	if (isAtActivation && !isNew && !unsaved) {
		log('info', texts.formatActivation(row), row);
		return [];
	}
	if (isNew && !isTest) log(saved.length > 0 ? 'warn' : 'info', texts.formatStart(row), row);
	if (isNew && beginsTooMany([...saved, place], now)) throw fail(texts.TOO_MANY_SEARCHES);
	const spent = texts.formatSpent({ ...place, day, spentToday }, ceilings);
	if (spent && isTest) throw fail(spent);
	const until = isTest || memory.isTested ? 0 : waitsUntil(place, now);
	const note = spent?.message ?? (until > 0 ? texts.formatWaits(until) : undefined);
	if (unsaved) log('warn', texts.NOT_SAVED, row);
	else if (note !== undefined) {
		log('info', note, row);
		return [];
	}

	const { perDay, inTotal } = ceilings;
	const left = Math.min(perDay - spentToday, inTotal - place.spentInTotal);
	const fetched = await fetchLeads(api, request, place, {
		limit: isTest ? 1 : request.limit,
		room: Math.max(0, Math.min(left, api.ceiling, isTest ? 1 : Infinity)),
		reusesFrom: unsaved?.since ?? now,
		signal,
		// No wait goes on until the end of the poll's time.
		hasTime: (waitMs) => Date.now() + waitMs - began < budgetMs / 2,
	});
	const { charged, atRisk, requests } = fetched.spent;
	// What comes from memory may come beside a failure that cost nothing.
	const isSaved = !isTest && (!fetched.failure || charged + atRisk + fetched.placed > 0);
	const after = isSaved ? placeAfter(place, fetched, day) : place;
	const counted = isSaved ? charged + atRisk : 0;
	const usage = {
		...{ credits: charged, creditsToday: spentToday + counted },
		creditsInTotal: after.spentInTotal,
		creditsLeft: left === Infinity ? null : left - counted,
		...{ requests, place: after.row },
	};
	// A trigger has no input items to pair with; what comes from JSON.parse is n8n's IDataObject.
	const items = fetched.leads.map((lead) => ({
		json: { ...lead, ...(settings.includesUsage && { usage: { ...usage } }) },
	}));
	if (!('thrown' in fetched))
		tell(poll, { fetched, after, isSaved }, { ...api, timeoutMs: settings.timeoutMs });
	// Last, so that a poll that throws has handed nothing over; but what was spent is spent.
	if (isSaved) storage.save(after, items.length > 0 ? unmoved(after, place) : undefined, began);
	else if (fetched.placed > 0) memory.isTested = true;
	if ('thrown' in fetched) throw fetched.thrown;
	return items;
}

/**
 * Says what a poll has cost and what went wrong: thrown where nothing came and nothing is to be saved, so that n8n waits
 * as the error declares. With leads, what passes by itself is only logged: the next poll meets it again.
 */
function tell(
	{ context, fail, isTest, log }: Poll,
	{ fetched, after, isSaved }: { fetched: Fetched; after: SearchPlace; isSaved: boolean },
	where: Omit<Circumstances, 'fetched'>,
): void {
	const { failure, leads, spent, warnings } = fetched;
	const { row, waitMs } = after;
	log('info', texts.formatPoll(leads.length, spent, row), row);
	for (const warning of warnings) log('warn', warning, row);
	const about = { ...where, fetched: fetched.rows.length, isPoll: true };
	const text = failure ? formatFailure(failure, about) : texts.formatOld(fetched.old);
	const waits = isSaved && waitMs > 0;
	const next = waits ? texts.formatWaits(Date.now() + waitMs) : texts.formatNextPoll(row);
	if (waits) log('warn', next, row);
	if (text) {
		const description = [text.description, next, formatLost(spent)].join(' ').trim();
		const error = asNodeError(context.getNode(), { ...text, description }, { failure, item: 0 });
		if (leads.length > 0) log('warn', `${text.message}. ${next}`, row);
		else if (isTest || !isSaved) throw error;
		if (leads.length === 0 || !(isTest || (failure && passesByItself(failure))))
			context.__emitError(error);
	} else if (isTest && leads.length === 0)
		throw fail(texts.formatNobody(row, spent.charged, warnings));
}

/** Whether nobody has to do anything for it to pass; n8n abandons a poll where the service is slow. */
function passesByItself({ kind }: Failure): boolean {
	return kind === 'cancelled' || CONSEQUENCES[kind].isRetried === true;
}
