/** What people read about the trigger's polls. */
import type { ErrorText } from './failures';

/** Why a search starts at its first row. */
export type RestartReason = 'firstPoll' | 'searchChanged' | 'unreadable';

const RESTART: Readonly<Record<RestartReason, string>> = {
	firstPoll: 'first poll',
	searchChanged:
		'the filters or the address have changed, so the search starts from its first lead',
	unreadable: 'the saved cursor can not be read, so the search starts from its first lead',
};

/** @param offset rows that come before the first one that is asked for */
export function formatRestart(reason: RestartReason, offset: number): string {
	return `${RESTART[reason]}, from lead ${offset + 1}`;
}

/** Something in the filters changes with every poll. */
export const TOO_MANY_RESTARTS: ErrorText = {
	message: 'The filters have changed three times within 24 hours, so nothing was fetched',
	description:
		'Each change starts a new search, which pays for its leads from the first one on. Take what changes by itself, such as $now, out of the filters. If you changed them by hand, replace the trigger by a new one, or wait until 24 hours have passed since the first change.',
};

/** The service sends the same page for ever. */
export function formatRepetition(spent: number): ErrorText {
	return {
		message: `The lead service sent the leads of the poll before again, for ${spent} credits`,
		description:
			'They are not delivered, and no further poll is sent for this search. Contact the lead service: it does not heed the page number. Other filters start a new search.',
	};
}

/** A ceiling is reached. */
export function formatCeiling(message: string): ErrorText {
	return { message, description: 'Raise it under Options to get more leads.' };
}

/** What was charged in a poll and can't be delivered. */
export function formatUndelivered(credits: number): string {
	return `the lead service sent others than the leads that were asked for. ${credits} credits were charged for leads that are not delivered.`;
}

/** Where the next poll goes on after one that failed. */
export function formatNextPoll(offset: number, possiblyCharged: number): string {
	const lost =
		possiblyCharged > 0
			? ` Up to ${possiblyCharged} credits may have been charged for answers that were lost.`
			: '';
	return `The next poll goes on after lead ${offset}.${lost}`;
}
