/** What people read about the trigger's polls. */
import type { ErrorText } from './failures';
import { quantity } from './quantity';

/** Why a search starts at its first row. */
const RESTART = {
	firstPoll: 'first poll',
	searchChanged: 'the filters or the address have changed: starting anew',
	unreadable: 'the saved cursor cannot be read: starting anew',
};

export type RestartReason = keyof typeof RESTART;

/** @param row rows that come before the first one that is asked for */
export const formatRestart = (reason: RestartReason, row: number): string =>
	`${RESTART[reason]}, from lead ${row + 1}`;

/** Something in the filters changes with every poll. */
export const TOO_MANY_RESTARTS: ErrorText = {
	message: 'The filters have changed three times within 24 hours, so nothing was fetched',
	description:
		'Each change starts a new search, which pays for its leads from the first one on. Take what changes by itself, such as $now, out of the filters. If you changed them by hand, wait until 24 hours have passed since the first change, or replace the trigger by a new one, which pays from the first lead on.',
};

/** @param message the ceiling that is reached */
export const formatCeiling = (message: string): ErrorText => {
	return { message, description: 'Raise it to get more leads.' };
};

/** All that a poll may spend may have gone for answers that were lost. */
export const SPENT_IN_VAIN: ErrorText = {
	message: 'No lead came, and this poll may spend no more',
	description:
		"Answers that were lost may have been charged, and count towards each ceiling. Set a longer 'Timeout' or a smaller 'Page Size' under Options.",
};

/** What a poll has cost. */
export function formatPoll(leads: number, charged: number, atRisk: number): string {
	const lost = atRisk > 0 ? `; up to ${quantity(atRisk, 'credit')} for answers that were lost` : '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}`;
}

/** Each poll would pay for the same again. */
export const ONCE_A_DAY =
	'Each further poll would be charged for the same again, so that from now on polls ask once a day.';

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

/** Where the next poll goes on after one that failed. */
export const formatNextPoll = (row: number): string => `The next poll goes on after lead ${row}.`;
