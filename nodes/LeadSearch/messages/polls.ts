/** What people read about the trigger's polls. */
import type { ErrorText } from './failures';
import { quantity } from './quantity';

/** Why a poll's place is not where the poll before has left it. */
const STARTS = {
	firstPoll: 'first poll',
	searchChanged: 'the filters or the address have changed: a new search',
	imported: 'the saved place is that of another workflow or n8n: a new search',
	former: 'back at an earlier search, which goes on',
};

export type StartReason = keyof typeof STARTS;

/** @param row rows that come before the first one that is asked for */
export const formatStart = (reason: StartReason, row: number): string =>
	`${STARTS[reason]}, from lead ${row + 1}`;

/** What would be asked for may have been bought before. */
export const UNREADABLE: ErrorText = {
	message: "The trigger's saved place can't be read, so nothing was fetched",
	description:
		"Another version of this package may have saved it: install that one again. Or replace the trigger by a new one with another name, which begins at the first lead. To begin where this one was, set 'Skip' (under Options) of the new one to the number of leads that have come: each poll names it in n8n's log.",
};

/** Something in the filters changes with every poll. */
export const TOO_MANY_SEARCHES: ErrorText = {
	message: 'The filters have changed three times within 24 hours, so nothing was fetched',
	description:
		'Each change starts a new search, which pays for its leads from the first one on. Take what changes by itself, such as $now, out of the filters. If you changed them by hand, wait until 24 hours have passed since the first change, or replace the trigger by a new one, which begins at the first lead.',
};

/** @param message the ceiling that is reached */
export const formatCeiling = (message: string): ErrorText => {
	return { message, description: 'Raise it to get more leads.' };
};

/** After the end of a list, leads have come that are old. */
export const formatOld = (leads: number): ErrorText => {
	const came = leads === 1 ? 'the lead that came was' : `${leads} leads that came were`;
	return {
		message: `The list has grown before its end, so that 'new' leads at its end are old ones: ${came} delivered before`,
		description: `The lead service puts new leads first, and the trigger goes on at the end. What was delivered before cost ${quantity(leads, 'credit')} and was not delivered again. To get the new ones, use Search (Paid), whose first leads they are, or filters that only new leads match.`,
	};
};

/**
 * A test has found nobody, which n8n tells by "create one" alone.
 *
 * @param row rows that have come, or were passed over @param charged credits: where the last page came once more
 */
export const formatNobody = (row: number, charged: number, warnings: string[]): ErrorText => ({
	message: row > 0 ? `No lead follows the first ${row} of this search` : 'No leads match',
	description: [
		...warnings,
		row > 0
			? "They were delivered before, or passed over by 'Skip'. Each poll asks for the next one."
			: 'Count and Preview of the Lead Search node tell which filter it is, for free.',
		charged > 0 ? `${quantity(charged, 'credit was')} charged.` : 'Nothing was charged.',
	].join(' '),
});

/** What a poll has cost, and where the place is then. @param row rows that have come so far */
export function formatPoll(leads: number, charged: number, atRisk: number, row: number): string {
	const lost = atRisk > 0 ? `; up to ${quantity(atRisk, 'credit')} for answers that were lost` : '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}. ${formatNextPoll(row)}`;
}

/** n8n threw away what a poll had handed over, as when the workflow is published meanwhile. */
export const formatAgain = (leads: number): string =>
	`n8n has not saved what the poll before handed over: ${quantity(leads, 'lead')} once more, for 0 credits`;

/** To whoever tests the trigger. */
export const STILL_POLLING: ErrorText = {
	message: 'A poll is under way, so that nothing is fetched for a test',
	description: 'Test it again when the poll has ended. Nothing was sent or charged.',
};

/** n8n may still be about to save what was handed over a moment ago. */
export const NOT_YET_SAVED = 'n8n has not yet saved the poll before: nothing is fetched';

/** n8n polls at each of its starts, too. */
export const formatStartOfN8n = (row: number): string =>
	`n8n has started, and nothing is fetched until the schedule says so. ${formatNextPoll(row)}`;

/** An answer that each poll would pay for again came for the first time. */
export const ONCE_MORE =
	'The next poll asks once more. If that brings no better answer, polls ask once a day, as each is charged.';

/** Each poll would pay for the same again. */
export const ONCE_A_DAY =
	'Each further poll would be charged for the same again, so that from now on polls ask once a day. A test in the editor that goes well ends that.';

/** @param day on which it was asked, as YYYY-MM-DD */
export const formatPaused = (day: string): string =>
	`asked on ${day} already, and charged for what brought no lead. To ask again would cost the same, so that polls ask once a day`;

/** n8n takes any text for a time zone; where it knows no better, it polls in a time zone of its own. */
export const formatTimeZone = (timeZone: string): ErrorText => {
	return {
		message: `The workflow's time zone '${timeZone}' is not known, so nothing was fetched`,
		description:
			"'Max Credits per Day' needs it, to know when a day begins. Choose a Timezone under Workflow Settings, for example Europe/Berlin, then save or publish the workflow. Nothing was sent or charged.",
	};
};

/** Where the next poll goes on. @param row rows that have come so far */
export const formatNextPoll = (row: number): string => `The next poll goes on after lead ${row}.`;
