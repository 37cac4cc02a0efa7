/** Messages about the polls of the trigger. */
import type { ErrorText } from './failures';
import { quantity } from './quantity';

/**
 * Says at which lead a new search starts: lead 1, or a later one if Skip is set.
 *
 * @param row the number of rows before that lead
 */
export const formatStart = (row: number): string => `a new search starts at lead ${row + 1}`;

/**
 * The message of a poll if the trigger's saved cursor can't be read: another version of the package has saved it, or
 * other code has changed it. Without the cursor, the poll can't know which leads were bought before, so it buys none.
 */
export const UNREADABLE: ErrorText = {
	message: "The trigger's saved position can't be read, so nothing was fetched",
	description:
		"Install the package version that saved it. Or duplicate the workflow, and set 'Skip' under Options to the last lead number in n8n's log. Without 'Skip', the copy starts at the first lead.",
};

/**
 * The message of a poll if the filters seem to change with each poll, for example because a filter contains `$now`.
 * Each new search would buy its first leads again, so the poll buys nothing.
 */
export const TOO_MANY_SEARCHES: ErrorText = {
	message: 'Polls started three new searches within 24 hours, so this poll did not start a fourth',
	description:
		'Remove values that change automatically, such as $now, from the filters. If you changed the filters yourself, unpublish and publish the workflow.',
};

/**
 * Returns a message if one of the trigger's two limits is spent: Max Credits per Day or Max Credits in Total. Returns
 * undefined if both limits allow more. All amounts are in credits, and a limit is Infinity if it isn't set.
 *
 * @param today `day` is a date such as '2026-11-28', and `spent` is what the polls of this workflow spent on it
 * @param spentInTotal the credits that polls have spent since the search started
 * @param limits `perDay` is Max Credits per Day, and `inTotal` is Max Credits in Total
 */
export function formatSpent(
	{ day, spent }: { day: string; spent: number },
	spentInTotal: number,
	{ perDay, inTotal }: { perDay: number; inTotal: number },
): ErrorText | undefined {
	const isInTotal = spentInTotal >= inTotal;
	if (!isInTotal && spent < perDay) return undefined;
	const message = isInTotal
		? `'Max Credits in Total' (${inTotal}) is spent`
		: `'Max Credits per Day' (${perDay}) is spent for ${day}`;
	const until = isInTotal ? '' : ' until the next day';
	return {
		message,
		description: `Raise this limit to get more leads. Polls send nothing${until}.`,
	};
}

/**
 * Says that the workflow's time zone is invalid.
 *
 * @param zone the invalid time zone
 */
export const formatUnknownTimeZone = (zone: string): string =>
	`the workflow's time zone "${zone}" is unknown, so days are counted in UTC`;

/**
 * Logged by a poll that had no time left to fetch anything, because it waited for an earlier poll of the same
 * workflow.
 */
export const STILL_POLLING = 'the previous poll is still running, so nothing is fetched';

/**
 * Returns the message of a poll that received leads which the trigger had delivered before. If the service adds leads
 * at the start of the list, old leads move to later positions, which the trigger hasn't requested yet.
 *
 * @param leads the number of leads that were received again
 * @returns undefined if `leads` is 0
 */
export const formatOldLeads = (leads: number): ErrorText | undefined => {
	if (leads === 0) return undefined;
	const [old, were] = leads === 1 ? ['a lead', 'was'] : [`${leads} leads`, 'were'];
	return {
		message: `The service adds new leads at the start of the list, so this poll received ${old} that ${were} delivered before`,
		description: `To get the new leads, use Search (Paid), which returns them first, or filters that only new leads match. The old ${leads === 1 ? 'lead' : 'leads'} cost ${quantity(leads, 'credit')} and ${were} not delivered again.`,
	};
};

/**
 * Returns the message of a poll that found no lead: of a test in the editor, or of the first poll of a search. n8n's
 * own message doesn't say why there is no lead.
 *
 * @param row the number of rows that were delivered before, or skipped by Skip
 * @param charged the credits that the poll was charged. Usually 0. It is above 0 if the service sent its last page
 * again instead of an empty page
 * @param warnings sentences that come first in the description
 */
export const formatNoMatches = (row: number, charged: number, warnings: string[]): ErrorText => ({
	message: row > 0 ? `This search has no leads after lead ${row}` : 'No leads match',
	description: [
		...warnings,
		row > 0
			? "The leads up to there were delivered before, or skipped by 'Skip'. Each poll requests the next lead."
			: 'To find the filter that matches no leads, use Count and Preview of the Lead Search node for free.',
		charged > 0 ? `${quantity(charged, 'credit was')} charged.` : 'Nothing was charged.',
	].join(' '),
});

/**
 * Formats the cost of a poll, and where the next poll continues: '20 leads for 20 credits. The next poll continues
 * after lead 40.'
 *
 * @param leads the number of leads that the poll returned
 * @param row the number of rows that were delivered or skipped so far
 */
export function formatPoll(
	leads: number,
	{ charged, possiblyCharged }: { charged: number; possiblyCharged: number },
	row: number,
): string {
	const lost =
		possiblyCharged > 0
			? `; up to ${quantity(possiblyCharged, 'credit')} more may have been charged for lost responses`
			: '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}. ${formatNextPoll(row)}`;
}

/**
 * The message of a poll after n8n discarded the leads of the previous one, for example because the workflow was
 * published meanwhile.
 */
export const NOT_SAVED =
	'n8n did not save the leads of the previous poll, so they are returned again, for 0 credits';

/** Logged by a poll that does nothing, because n8n hasn't saved the leads of the previous poll yet. */
export const NOT_YET_SAVED = 'n8n has not saved the previous poll yet, so nothing is fetched';

/**
 * Logged by a poll that n8n runs at an activation: when a user publishes the workflow, or when n8n starts or repairs
 * the workflow. If the trigger has a cursor for the search already, this poll fetches nothing.
 *
 * @param row the number of rows that were delivered or skipped so far
 */
export const formatActivation = (row: number): string =>
	`the workflow is active, and nothing is fetched until its next scheduled poll. ${formatNextPoll(row)}`;

/**
 * Says that the trigger pauses. It pauses if its last poll was charged, or may have been charged, and got no new
 * lead.
 *
 * @param until the end of the pause, in milliseconds since 1970
 */
export const formatPause = (until: number): string =>
	`The last poll was charged, or may have been charged, but returned no new leads. Polls send nothing until ${new Date(until).toISOString()}. After that, they send requests once a day until new leads come. To end the pause, run a test in the editor that returns a lead.`;

/**
 * Says after which lead the next poll continues.
 *
 * @param row the number of rows that were delivered or skipped so far
 */
export const formatNextPoll = (row: number): string => `The next poll continues after lead ${row}.`;
