/** What people read about the trigger's polls. */
import type { ErrorText } from './failures';
import { quantity } from './quantity';

/** @param row rows that come before the first that is requested */
export const formatStart = (row: number): string => `a new search, from lead ${row + 1}`;

/** What the poll would request may have been bought before. */
export const UNREADABLE: ErrorText = {
	message: "The trigger's saved place can't be read, so nothing was fetched",
	description:
		"Install the version that saved it. Or duplicate the workflow; its copy begins at the first lead, unless you set 'Skip' (under Options) to the number in n8n's log.",
};

/** Something in the filters changes with every poll. */
export const TOO_MANY_SEARCHES: ErrorText = {
	message:
		'Polls have begun three new searches within 24 hours, so nothing was fetched for a fourth',
	description:
		'Take what changes by itself, such as $now, out of the filters. If you changed them by hand, unpublish and publish the workflow.',
};

/** @returns which ceiling is reached; undefined for none */
export function formatSpent(
	{ day, spent }: { day: string; spent: number },
	spentInTotal: number,
	{ perDay, inTotal }: { perDay: number; inTotal: number },
): ErrorText | undefined {
	const isInTotal = spentInTotal >= inTotal;
	if (!isInTotal && spent < perDay) return undefined;
	const isSpent = isInTotal
		? `'Max Credits in Total' (${inTotal}) is spent`
		: `'Max Credits per Day' (${perDay}) is spent for ${day}`;
	const until = isInTotal ? '' : ' until the next day';
	return {
		message: isSpent,
		description: `Polls send nothing${until}. Raise it to get more leads.`,
	};
}

/** @param zone that is none */
export const formatNoZone = (zone: string): string =>
	`the workflow's time zone "${zone}" is not known: a day is one in UTC`;

/** By the end of its time, others of the workflow were under way. */
export const STILL_POLLING = 'the poll before is still under way: nothing is fetched';

/** @param leads that have come after the end of a list and are old */
export const formatOld = (leads: number): ErrorText | undefined => {
	if (leads === 0) return undefined;
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
export const formatNoMatches = (row: number, charged: number, warnings: string[]): ErrorText => ({
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
export function formatPoll(
	leads: number,
	{ charged, possiblyCharged }: { charged: number; possiblyCharged: number },
	row: number,
): string {
	const lost =
		possiblyCharged > 0
			? `; up to ${quantity(possiblyCharged, 'credit')} for answers that were lost`
			: '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}. ${formatNextPoll(row)}`;
}

/** n8n threw away what a poll had handed over, as when the workflow is published meanwhile. */
export const NOT_SAVED =
	'n8n has not saved what the poll before handed over: its leads come once more, for 0 credits';

/** n8n may still be about to save what was handed over a moment ago. */
export const NOT_YET_SAVED = 'n8n has not yet saved the poll before: nothing is fetched';

/** n8n polls at each activation: somebody publishes the workflow, n8n starts, or repairs it. */
export const formatActivation = (row: number): string =>
	`the workflow is active, and nothing is fetched until the schedule says so. ${formatNextPoll(row)}`;

/** The last poll paid, or may have, and got no further. @param until in milliseconds since 1970 */
export const formatPause = (until: number): string =>
	`The last poll was, or may have been, charged for what got it no further. Polls send nothing until ${new Date(until).toISOString()}, then once a day while it stays so; a test in the editor that brings a lead ends that.`;

/** Where the next poll goes on. @param row rows that have come so far */
export const formatNextPoll = (row: number): string => `The next poll goes on after lead ${row}.`;
