/** One poll: the next leads of a search. The place moves only together with leads that are handed over. */
import type { INodeExecutionData, IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { CONSEQUENCES } from '../api/failures';
import { openApi } from '../execution/apiAccess';
import { runExclusive } from '../cache/locks';
import { formatFailure, type ErrorText } from '../messages/failures';
import { asInvalid, asNodeError } from '../messages/nodeErrors';
import * as texts from '../messages/polls';
import { formatLost } from '../messages/stoppedRun';
import { canonicalSearch, digest, sortLists } from '../parameters/canonical';
import { shapeRow } from '../resources/simplify';
import { logOf } from '../spending/log';
import { fetchLeads, type FetchResult } from './fetch';
import { readTrigger } from './parameters';
import { beginAt, beginsTooMany, isWaiting, placeAfter } from './cursor';
import { spentOn, zoneOf, type SearchPlace } from './cursor';
import { storageOf } from './cursorStorage';

/** The time of a poll in milliseconds where n8n sets no bound, as older versions never do. */
const NO_BOUND_MS = 300_000;

/** After so many milliseconds n8n has saved what it was handed, or never will. */
const SAVING_MS = 10_000;

/** Those that have polled: n8n polls once at an activation, and by the schedule with the same context. */
const polled = new WeakSet<IPollFunctions>();

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or the credential; NodeApiError when no lead came and nothing may have been
 * charged. At an activation n8n is told of it instead: thrown, it would keep the workflow from starting
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// Whether n8n polls since it has started, or somebody has published; its durable scheduler sets a bound, and is no start.
	const isNew = !polled.has(context) && budgetOf(context) === NO_BOUND_MS;
	const isAtActivation = isNew && context.getMode() !== 'manual';
	polled.add(context);
	const poll = async () => {
		const opened = await open(context, isAtActivation);
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
function budgetOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : NO_BOUND_MS;
}

/** What a poll works with. */
export type Poll = Awaited<ReturnType<typeof open>>;

async function open(context: IPollFunctions, isAtActivation: boolean) {
	const isTest = context.getMode() === 'manual';
	const [began, budgetMs] = [Date.now(), budgetOf(context)];
	const signal = AbortSignal.timeout(budgetMs * 0.9);
	const { request, ceilings } = readTrigger(context);
	const api = await openApi(context, 'search', signal);
	// What selects leads, whatever the order of keys and list values.
	const fingerprint = digest(sortLists([canonicalSearch(request.filters), api.baseUrl]));
	const fail = (text: ErrorText) => asInvalid(context.getNode(), text);
	const storage = storageOf(context);
	return {
		...{ context, isTest, isAtActivation, fail, storage, log: logOf(context) },
		...{ request, ceilings, api, fingerprint, began, signal, budgetMs },
	};
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[]> {
	const { isTest, storage, log, request, api } = poll;
	const state = locate(poll);
	const { place, today, unsaved, left } = state;
	const note = reasonToRest(poll, state);
	if (note !== undefined) {
		log('info', note, place.row);
		return [];
	}
	const fetched = await fetchLeads(poll, place, {
		limit: isTest ? 1 : request.limit,
		room: Math.max(0, Math.min(left, api.ceiling, isTest ? 1 : Infinity)),
		isUnsaved: unsaved !== undefined,
	});
	const { charged, possiblyCharged, requests } = fetched.spent;
	// What comes from memory may come beside a failure that cost nothing.
	const isSaved = !isTest && (!fetched.failure || charged + possiblyCharged + fetched.placed > 0);
	const after = isSaved ? placeAfter(place, fetched, Date.now()) : place;
	const counted = isSaved ? charged + possiblyCharged : 0;
	const creditsToday = today.spent + counted;
	const usage = {
		...{ credits: charged, creditsToday, creditsInTotal: after.spentInTotal },
		creditsLeft: left === Infinity ? null : left - counted,
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
	if (!('thrown' in fetched)) tell(poll, { fetched, after, isSaved });
	// Last, so that a poll that throws has handed nothing over; but what was spent is spent.
	if (isSaved)
		storage.save(after, { [today.day]: creditsToday }, items.length > 0 ? place : undefined);
	else if (place.waitsUntil > 0 && fetched.placed > 0) storage.endWait(place);
	if ('thrown' in fetched) throw fetched.thrown;
	return items;
}

/** @returns where a poll is, and what it may spend */
function locate(poll: Poll) {
	const { context, fail, isAtActivation, storage, log, fingerprint, ceilings, request } = poll;
	const now = Date.now();
	if (!storage.read(fingerprint)) throw fail(texts.UNREADABLE);
	const { searches, days, handedOver } = storage.memory;
	const setting = context.getTimezone();
	const zone = zoneOf(setting);
	if (zone === undefined) log('warn', texts.formatNoZone(setting));
	const today = spentOn(days, now, zone ?? 'UTC');
	const saved = searches.find((search) => search.fingerprint === fingerprint);
	const begun = saved ?? beginAt(fingerprint, isAtActivation ? 0 : now);
	// It moves a place on, never back.
	const place = { ...begun, row: Math.max(begun.row, request.skip) };
	const left = Math.min(ceilings.perDay - today.spent, ceilings.inTotal - place.spentInTotal);
	// n8n throws away what a poll returns where the workflow is published meanwhile: its leads come once more.
	const unsaved = handedOver.get(fingerprint)?.revision;
	return { now, place, isNew: saved === undefined, today, left, unsaved };
}

/** @returns why nothing is fetched; undefined where it is */
function reasonToRest(poll: Poll, state: ReturnType<typeof locate>): string | undefined {
	const { context, fail, isTest, isAtActivation, storage, log } = poll;
	const { now, place, isNew, today, unsaved } = state;
	const spent = texts.formatSpent(today, place.spentInTotal, poll.ceilings);
	if (isTest && spent) throw fail(spent);
	if (isTest) return undefined;
	if (poll.signal.aborted) return texts.STILL_POLLING;
	// It may have read its data before it saved the poll before.
	if (unsaved !== undefined && Math.abs(now - unsaved) < SAVING_MS) return texts.NOT_YET_SAVED;
	if (isAtActivation && !isNew) return texts.formatActivation(place.row);
	const { searches } = storage.memory;
	if (isNew) log(searches.length > 0 ? 'warn' : 'info', texts.formatStart(place.row), place.row);
	if (isNew && beginsTooMany([...searches, place], now)) throw fail(texts.TOO_MANY_SEARCHES);
	if (unsaved !== undefined) log('warn', texts.NOT_SAVED, place.row);
	if (unsaved !== undefined) return undefined;
	if (!spent) return isWaiting(place, now) ? texts.formatWaits(place.waitsUntil) : undefined;
	// Where people look: a trigger that sends nothing has no executions.
	if (storage.memory.ceiling !== spent.message) context.__emitError(fail(spent));
	storage.memory.ceiling = spent.message;
	return spent.message;
}

/**
 * Says what a poll has cost and what went wrong: thrown where nothing came and nothing is to be saved, so that n8n waits
 * as the error declares. With leads, what passes by itself is only logged: the next poll meets it again.
 */
function tell(
	{ context, isTest, log, api, request }: Poll,
	{ fetched, after, isSaved }: { fetched: FetchResult; after: SearchPlace; isSaved: boolean },
): void {
	const { failure, rows, spent, warnings } = fetched;
	const { row, waitsUntil, revision } = after;
	log('info', texts.formatPoll(rows.length, spent, row), row);
	for (const warning of warnings) log('warn', warning, row);
	const about = { ...api, ...request.settings, fetched: rows.length, isPoll: true };
	const isNobody = rows.length === 0 && (isTest || revision === 0);
	const nobody = isNobody ? texts.formatNobody(row, spent.charged, warnings) : undefined;
	const text = failure ? formatFailure(failure, about) : (texts.formatOld(fetched.old) ?? nobody);
	const waits = isSaved && isWaiting(after, Date.now());
	const next = waits ? texts.formatWaits(waitsUntil) : texts.formatNextPoll(row);
	if (waits) log('warn', next, row);
	if (text) {
		const description = [text.description, next, formatLost(spent)].join(' ').trim();
		const error = asNodeError(context.getNode(), { ...text, description }, { failure, item: 0 });
		if (rows.length > 0) log('warn', `${text.message}. ${next}`, row);
		else if (isTest || !isSaved) throw error;
		// n8n abandons a poll where the service is slow.
		const passes =
			failure?.kind === 'cancelled' || (failure && CONSEQUENCES[failure.kind].isRetried);
		if (rows.length === 0 || !(isTest || passes)) context.__emitError(error);
	}
}
