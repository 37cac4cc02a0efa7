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

/** What a poll has cost. */
export function formatPoll(leads: number, charged: number, atRisk: number): string {
	const lost = atRisk > 0 ? `; up to ${quantity(atRisk, 'credit')} for answers that were lost` : '';
	return `${quantity(leads, 'lead')} for ${quantity(charged, 'credit')}${lost}`;
}

/** The service sent what it should not, for which each poll would pay again. */
export const HALTED =
	'Polls send nothing from now on, until the workflow is unpublished and published again, or the filters change.';

/** The last page came once more. */
export const END_COSTS =
	'the list has ended. This service charges a credit for asking whether leads have come since, so that polls ask once a day';

/** Where the next poll goes on after one that failed. */
export const formatNextPoll = (row: number): string => `The next poll goes on after lead ${row}.`;
