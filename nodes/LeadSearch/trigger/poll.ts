/** One poll: the next leads of a search. The place moves only together with leads that are handed over. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openApi } from '../execution/apiAccess';
import { logOf, type Log } from '../execution/log';
import { asInvalid, asOperationError, isError } from '../messages/nodeErrors';
import {
	formatAgain,
	formatNobody,
	formatNextPoll,
	formatPoll,
	formatStart,
	formatStartOfN8n,
	formatTimeZone,
	NOT_YET_SAVED,
	ONCE_A_DAY,
	ONCE_MORE,
	STILL_POLLING,
} from '../messages/polls';
import { formatLost } from '../messages/stoppedRun';
import {
	afterSpending,
	dayAt,
	decide,
	findPlace,
	fingerprintOf,
	paidAgain,
	placeAfter,
	resume,
	revisionSaved,
} from './cursor';
import { fetchLeads, type Fetched } from './fetch';
import { pollTimeOf, isLeased, occasionOf, type Occasion } from './occasion';
import { readTrigger } from './parameters';
import type { Place } from './place';
import { storageOf, type Storage } from './storage';
import { tell, textOf } from './tell';

/** What a poll works with. */
interface Poll {
	context: IPollFunctions;
	occasion: Occasion;
	storage: Storage;
	log: Log;
}

/**
 * @returns the next leads; null when there are none
 * @throws NodeOperationError for a parameter or the credential; NodeApiError when no lead came and nothing
 * may have been charged. At n8n's own start, and where it passes by itself or the trigger has a place when somebody
 * publishes, n8n is told of it instead: thrown, it would keep the workflow from starting
 */
export async function pollLeads(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const poll: Poll = {
		...{ context, occasion: occasionOf(context), storage: storageOf(context) },
		log: logOf(context),
	};
	const { memory } = poll.storage;
	if (memory.isPolling) {
		if (poll.occasion === 'test') throw asInvalid(context.getNode(), STILL_POLLING);
		poll.log('info', 'the poll before is still under way');
		return null;
	}
	memory.isPolling = true;
	try {
		const items = await (poll.occasion === 'start' ? pollAtStart(poll) : pollOnce(poll));
		return items.length > 0 ? [items] : null;
	} finally {
		memory.isPolling = false;
	}
}

/** What is thrown at n8n's own start would keep the workflow from starting: n8n is told of it instead. */
async function pollAtStart(poll: Poll): Promise<INodeExecutionData[]> {
	const { context, log } = poll;
	try {
		return await pollOnce(poll);
	} catch (thrown) {
		const error = isError(thrown)
			? thrown
			: asOperationError(context.getNode(), [{ item: 0, thrown }], true);
		log('warn', error.message);
		context.__emitError(error);
		return [];
	}
}

async function pollOnce(poll: Poll): Promise<INodeExecutionData[]> {
	const { storage, occasion, log } = poll;
	const again = handOverAgain(poll);
	if (again) return again;
	const wanted = await read(poll.context);
	const { place, isNew } = find(poll, wanted);
	const [search] = place.searches;
	if (occasion === 'start' && !isNew) {
		log('info', formatStartOfN8n(search.row), search.row);
		return [];
	}
	const { request, api, ceilings, hasTime } = wanted;
	const isTest = occasion === 'test';
	const decision = decide(place, ceilings, isTest);
	if ('refusal' in decision) throw asInvalid(poll.context.getNode(), decision.refusal);
	if ('note' in decision) {
		log('info', decision.note, search.row);
		return [];
	}
	const room = Math.min(decision.room, api.ceiling);
	const limit = isTest ? 1 : request.limit;
	const fetched = await fetchLeads(api, { request, search, limit, room, hasTime });
	if ('thrown' in fetched) {
		// Nothing is handed over, but what was spent is spent.
		if (!isTest) storage.save(afterSpending(place, fetched.spent));
		throw fetched.thrown;
	}
	return handOver(poll, wanted, { place, isNew }, fetched);
}

/** What a poll asks for, and the way there. */
type PollRequest = Awaited<ReturnType<typeof read>>;

async function read(context: IPollFunctions) {
	const now = Date.now();
	const { request, ceilings } = readTrigger(context);
	const timeZone = context.getTimezone();
	const day = dayAt(now, timeZone);
	if (day === undefined) throw asInvalid(context.getNode(), formatTimeZone(timeZone));
	const budgetMs = pollTimeOf(context);
	const api = await openApi(context, 'search', AbortSignal.timeout(budgetMs * 0.9));
	// So that no wait goes on until the end of the poll's time.
	const hasTime = (waitMs: number) => Date.now() + waitMs - now < budgetMs / 2;
	return { request, ceilings, api, hasTime, time: { now, day } };
}

/** @returns the place to go on from, and whether nothing of this node's was saved before */
function find(
	{ context, storage, occasion, log }: Poll,
	{ request, api, time }: PollRequest,
): { place: Place; isNew: boolean } {
	const { skip, filters } = request;
	const search = { ...fingerprintOf(filters, api.baseUrl), skip };
	const found = findPlace(storage.copies, storage.owner, search, time);
	if ('refusal' in found) throw asInvalid(context.getNode(), found.refusal);
	const { reason } = found;
	const isResumed = (storage.memory.testedAt ?? 0) > found.place.revision;
	const place = isResumed ? resume(found.place) : found.place;
	const [{ row }] = place.searches;
	// What other nodes leave in n8n's data may set the saved one back before the next poll.
	if (!reason) storage.memory.place = place;
	const isNew = reason === 'firstPoll' || reason === 'imported';
	const isWarned = reason === 'searchChanged' || reason === 'imported';
	const isTold = reason && occasion !== 'test' && (isNew || occasion !== 'start');
	if (isTold) log(isWarned ? 'warn' : 'info', formatStart(reason, row), row);
	return { place, isNew };
}

/**
 * n8n throws away what a poll returns where the workflow is published meanwhile: what was handed over and is not in
 * its saved place is handed over once more, and costs nothing.
 *
 * @returns undefined where all has been saved
 */
function handOverAgain({
	context,
	occasion,
	storage,
	log,
}: Poll): INodeExecutionData[] | undefined {
	const { memory, copies, owner } = storage;
	const { handedOver, place } = memory;
	if (!handedOver || !place || occasion === 'test') return undefined;
	if (revisionSaved(copies, owner) >= handedOver.revision) {
		delete memory.handedOver;
		return undefined;
	}
	// n8n may have read its place before it saved the poll before.
	if (isLeased(context) && Date.now() - handedOver.at < SAVING_MS) {
		log('info', NOT_YET_SAVED);
		return [];
	}
	const items = JSON.parse(handedOver.items) as INodeExecutionData[];
	log('warn', formatAgain(items.length), place.searches[0].row);
	storage.saveWith(place, items);
	return items;
}

/** After so many milliseconds n8n has saved what it was handed, or never will. */
const SAVING_MS = 10_000;

/** Saves the place, tells what the poll has cost and what went wrong, and hands the leads over. */
function handOver(
	poll: Poll,
	{ request, api, ceilings }: PollRequest,
	{ place, isNew }: { place: Place; isNew: boolean },
	fetched: Fetched,
): INodeExecutionData[] {
	const { context, storage, occasion, log } = poll;
	const { spent, failure, leads, warnings } = fetched;
	const isTest = occasion === 'test';
	const again = paidAgain(fetched);
	const isSaved = !isTest && (!failure || again !== undefined || spent.charged + spent.atRisk > 0);
	const after = isSaved ? placeAfter(place, fetched) : place;
	const [{ row, spentInTotal, pausedOn }] = after.searches;
	const left = Math.min(ceilings.perDay - after.spentToday, ceilings.inTotal - spentInTotal);
	const usage = {
		...{ credits: spent.charged, creditsToday: after.spentToday, creditsInTotal: spentInTotal },
		creditsLeft: left === Infinity ? null : left,
		...{ requests: spent.requests, place: row },
	};
	// A trigger has no input items to pair with; what comes from JSON.parse is n8n's IDataObject.
	const items = leads.map((lead) => ({
		json: {
			...lead,
			...(request.settings.includesUsage && { usage: { ...usage } }),
		},
	}));
	log('info', formatPoll(items.length, spent.charged, spent.atRisk, row), row);
	for (const warning of warnings) log('warn', warning, row);

	const pause = pausedOn === null ? ONCE_MORE : ONCE_A_DAY;
	const asksAgain = isSaved && again ? pause : undefined;
	if (asksAgain !== undefined) log('warn', asksAgain, row);
	const text = textOf(fetched, { ...api, timeoutMs: request.settings.timeoutMs });
	if (text) {
		const next = asksAgain ?? formatNextPoll(row);
		const description = [text.description, next, formatLost(spent)].join(' ').trim();
		tell(
			poll,
			{ ...text, description },
			{ failure, isNew, isSaved, row, hasLeads: items.length > 0 },
		);
	}
	if (isTest && !text && items.length === 0)
		throw asInvalid(context.getNode(), formatNobody(row, spent.charged, warnings));
	// Last, so that a poll that throws has handed nothing over.
	if (isSaved) storage.saveWith(after, items);
	else if (items.length > 0 && !again) storage.memory.testedAt = Date.now();
	return items;
}
