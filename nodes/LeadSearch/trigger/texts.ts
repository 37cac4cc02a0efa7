import type { ErrorText } from '../messages/failures';
import { quantity } from '../messages/quantity';
import { joinSentences } from '../messages/stoppedRun';
import { REUSE_MINUTES } from '../parameters/fetching';

export const formatStart = (row: number): string => `a new search starts at lead ${row + 1}`;

/** Without the cursor, the poll can't know which leads were bought before. */
export const UNREADABLE: ErrorText = {
	message: "The trigger's saved position can't be read, so nothing was fetched",
	description:
		"Install the package version that saved it. Or duplicate the workflow, and set 'Skip' under Options to the last lead number in n8n's log. Without 'Skip', the copy starts at the first lead.",
};

export const TOO_MANY_SEARCHES: ErrorText = {
	message: 'Polls started three new searches within 24 hours, so this poll did not start a fourth',
	description:
		'Remove values that change automatically, such as $now, from the filters. If you changed the filters yourself, unpublish and publish the workflow.',
};

export function formatSpentLimit(
	today: { day: string; spent: number; month: string; spentThisMonth: number },
	spentInTotal: number,
	{ perDay, perMonth, inTotal }: { perDay: number; perMonth: number; inTotal: number },
): ErrorText | undefined {
	const { day, spent, month, spentThisMonth } = today;
	const limits = [
		{ name: 'in Total', limit: inTotal, spent: spentInTotal, when: '', until: '' },
		{ name: 'per Month', limit: perMonth, spent: spentThisMonth, when: month, until: 'month' },
		{ name: 'per Day', limit: perDay, spent, when: day, until: 'day' },
	];
	const reached = limits.find((one) => one.spent >= one.limit);
	if (!reached) return undefined;
	const { name, limit, when, until } = reached;
	return {
		message: `'Max Credits ${name}' (${limit}) is spent${when && ` for ${when}`}`,
		description: `Raise this limit to get more leads. Polls send nothing${until && ` until the next ${until}`}.`,
	};
}

export const formatUnknownTimeZone = (zone: string): string =>
	`the workflow's time zone "${zone}" is unknown, so days are counted in UTC`;

export const STILL_POLLING = 'the previous poll is still running, so nothing is fetched';

export const formatOldLeads = (leads: number, charged: number): ErrorText | undefined => {
	if (leads === 0 || charged === 0) return undefined;
	const [old, were] = leads === 1 ? ['a lead', 'was'] : [`${leads} leads`, 'were'];
	return {
		message: `The list has changed, so this poll received ${old} that ${were} delivered before`,
		description: `To get the leads that are new, use Search (Paid), or filters that only new leads match. The old ${leads === 1 ? 'lead' : 'leads'} ${were} not delivered again. The poll was charged ${quantity(charged, 'credit')}.`,
	};
};

export const formatNoMatches = (
	row: number,
	{ charged, lostResponses }: { charged: number; lostResponses: number },
	warnings: string[],
): ErrorText => ({
	message: row > 0 ? `This search has no leads after lead ${row}` : 'No leads match',
	description: joinSentences(
		...warnings,
		row > 0
			? "The leads up to there were delivered before, or skipped by 'Skip'. Each poll requests the next lead."
			: 'To find the filter that matches no leads, use Count and Preview of the Lead Search node for free.',
		charged > 0 && `${quantity(charged, 'credit was')} charged.`,
		charged + lostResponses === 0 && 'Nothing was charged.',
	),
});

/**
 * `row` is the position of the cursor after the poll, and `advance` the number of rows by which the poll has moved
 * it.
 */
export function formatPoll(
	leads: number,
	{ charged, possiblyCharged }: { charged: number; possiblyCharged: number },
	{ row, advance }: { row: number; advance: number },
): string {
	const lost =
		possiblyCharged > 0
			? `; up to ${quantity(possiblyCharged, 'credit')} more may have been charged for lost responses`
			: '';
	// n8n may save neither the execution nor its leads.
	const again =
		leads > 0 && advance > 0
			? ` If they are lost, Search (Paid) with the same filters and options, 'Skip' ${row - advance} and 'Limit' ${advance} returns them, for 0 credits within ${REUSE_MINUTES} minutes in this n8n process.`
			: '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}. ${formatNextPoll(row)}${again}`;
}

export const NOT_SAVED =
	'n8n did not save the leads of the previous poll, so they are returned again, for 0 credits';

export const NOT_YET_SAVED = 'n8n has not saved the previous poll yet, so nothing is fetched';

export const formatActivation = (row: number): string =>
	`the workflow is active, and nothing is fetched until its next scheduled poll. ${formatNextPoll(row)}`;

export const formatPause = (until: number): string =>
	`The last poll was charged, or may have been charged, but returned no new leads. Polls send nothing until ${new Date(until).toISOString()}. After that, they send requests once a day until new leads come. To end the pause, run a test in the editor that returns a lead.`;

export const formatNextPoll = (row: number): string => `The next poll continues after lead ${row}.`;
