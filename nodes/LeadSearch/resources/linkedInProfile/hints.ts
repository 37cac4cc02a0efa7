/** The hints about profiles, as HTML. */
import { formatNumber, quantity } from '../../messages/quantity';

/** Quotes no entry, because n8n shows hints even if the data of an execution is hidden. */
export const describeInvalidUrls = (rejected: number, kinds: string, advice: string): string =>
	`Look Up rejects ${formatNumber(rejected)} ${rejected === 1 ? 'entry' : 'entries'}: ${kinds}. ${advice}`;

export const describeDuplicateProfiles = (profiles: number): string =>
	`Some profiles are in several input items. Look Up requests each of them once: ${quantity(profiles, 'profile')}, ${quantity(profiles, 'credit')} if all are found.`;

export function describeNoProfiles(
	rejected: number,
	total: number,
	unit: 'row' | 'entry',
	kinds: string,
): string {
	const units = unit === 'row' ? 'rows' : 'entries';
	const ofAll = `${formatNumber(rejected)} of ${total === 1 ? `1 ${unit}` : `${formatNumber(total)} ${units}`}`;
	const verb = rejected === 1 ? 'contains' : 'contain';
	const reason =
		rejected === total
			? '. Check the name of the column, and whether the field is set to Expression.'
			: `: ${kinds}.`;
	return `${ofAll} ${verb} no LinkedIn profile URL${reason}`;
}

export function describeNotFound(urls: number, withEmail: boolean): string {
	const [have, them] = urls === 1 ? ['has', 'it'] : ['have', 'them'];
	const email = withEmail ? ", or one without an email ('Only With Emails' is on)" : '';
	return `${quantity(urls, 'URL')} ${have} no profile${email}. To return ${them}, set 'Unmatched URLs' under Options.`;
}

export const describeLimit = (urls: number, isForAgent = false): string =>
	`${quantity(urls, 'URL was')} not looked up, because ${
		isForAgent
			? "an agent can't read more at once. Request them in another call."
			: "'Limit' counts the profiles of all input items together. Raise 'Limit', or turn on 'Return All'."
	}`;

export const describeRenamedProfiles = (profiles: number): string =>
	profiles === 1
		? '1 profile came back under another URL than yours, for example because the person has changed it.'
		: `${quantity(profiles, 'profile')} came back under other URLs than yours, for example because the people have changed them.`;

export const describeUnmatchedRows = (rows: number): string =>
	`${quantity(rows, 'profile')} came back under other URLs and could not be matched to your URLs.`;
