/** What the output pane shows above the items. Each text says when it is shown; counts are of what it names. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import type { HintKey } from '../paging/leadList';
import type { Cost } from '../paging/pagedList';
import { formatValue } from '../parameters/invalidParameter';
import { escapeHtml } from './nodeErrors';
import { quantity } from './quantity';

/** Something to show, or nothing. */
export type Hint = string | false | undefined;

/** All that a box says, a line each, the same text once; n8n shows it as HTML. Empty for nothing. */
export function linesOf(texts: Hint[]): string {
	return [...new Set(texts)].filter((text) => text).join('<br>');
}

/** '50 leads for 50 credits': what was paid for, each row once. */
export function formatCost(endpoint: Endpoint, { charged, wasted }: Cost): string {
	return `${quantity(charged - wasted, ENDPOINTS[endpoint].noun)} for ${quantity(charged, 'credit')}`;
}

/**
 * '50 leads for 50 credits; 43 with an email; 100 credits by this node in this execution so far'
 *
 * @param run what it cost, and credits of all that belongs together with it @param rows those put out
 * @param isExecution whether that is an execution; else an hour of calls
 * @param profiles how many profiles were requested; 0 for a search
 */
export function hintCost(
	endpoint: Endpoint,
	run: Cost & { inAll: number },
	rows: Json[],
	isExecution: boolean,
	profiles = 0,
): string {
	const { charged, inAll } = run;
	const others = rows.filter(({ work_email: work }) => !hasEmail(work));
	const atWork = rows.length - others.length;
	const emails = atWork + others.filter(({ personal_emails: own }) => hasEmail(own)).length;
	const { noun } = ENDPOINTS[endpoint];
	const part = profiles > rows.length ? `${number(rows.length)} of ` : '';
	const what = part + quantity(Math.max(profiles, rows.length), noun);
	const cost = `${what} for ${quantity(charged, 'credit')}`;
	const ofThem = atWork < emails ? ` (${number(atWork)} with a work email)` : '';
	const coverage = rows.length > 0 ? `; ${number(emails)} with an email${ofThem}` : '';
	const where = isExecution ? 'by this node in this execution so far' : 'within 60 minutes';
	const more = inAll > charged ? `; ${quantity(inAll, 'credit')} ${where}` : '';
	return `${cost}${coverage}${more}`;
}

const EMAIL = /\S@\S/;

/** Not so where a placeholder stands for none. @param value a text, or a list of such */
function hasEmail(value: unknown): boolean {
	if (typeof value === 'string') return EMAIL.test(value);
	return Array.isArray(value) && value.some(hasEmail);
}

/**
 * @param minutesAgo when the oldest of them was paid for
 * @param canBuyAgain whether Reuse Paid Results is above 0, so that a new execution with 0 buys them again
 */
export function hintReused(
	endpoint: Endpoint,
	{ reused, returned }: { reused: number; returned: number },
	minutesAgo: number,
	canBuyAgain = true,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const [all, were, them] =
		reused === 1 ? [`The ${noun}`, 'was', 'it'] : [`All ${quantity(reused, noun)}`, 'were', 'them'];
	const part = `${number(reused)} of ${quantity(returned, noun)}`;
	const rows = `${reused === returned ? all : part} ${were} paid for`;
	const ago = minutesAgo < 2 ? 'minute' : quantity(minutesAgo, 'minute');
	const advice = canBuyAgain ? ` To buy ${them} again, set 'Reuse Paid Results' to 0.` : '';
	return `${rows} within the last ${ago} and cost nothing now.${advice}`;
}

/**
 * Something failed after rows had come, and they come out all the same.
 *
 * @param errors where n8n puts the items that say why
 */
export function hintCut(
	endpoint: Endpoint,
	rows: number,
	isOutOfCredits: boolean,
	errors: 'item that tells why' | 'error branch',
): string {
	const why = isOutOfCredits ? 'credits ran out' : 'the service failed';
	return `This list is cut: ${why} after ${quantity(rows, ENDPOINTS[endpoint].noun)}. See the ${errors}.`;
}

export function hintSame(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	return `${items} input items ask for the same ${noun}s. They were fetched${costsCredits ? ' and paid' : ''} once and returned for each item. To get them once, turn on 'Execute Once' under Settings.`;
}

/** @param text its words, to the page after a full page */
export function hintRefused(rows: number, text: string | undefined): string {
	const words = text === undefined ? '' : ` (it said: ${escapeHtml(text)})`;
	return `The service refused to go past row ${number(rows)}${words}. If more leads match, narrower filters get them.`;
}

/**
 * Names no values, since hints are shown where the data of an execution is hidden.
 *
 * @param refused entries that are no LinkedIn profile @param kinds how many of which kind @param advice what to write
 */
export const hintInvalidUrls = (refused: number, kinds: string, advice: string): string =>
	`Look Up refuses ${number(refused)} ${refused === 1 ? 'entry' : 'entries'}: ${kinds}. ${advice}`;

/** Filters by their labels, with what was sent. */
export type LabelledFilters = Array<[label: string, value: unknown]>;

/** Nobody matches. */
export function hintNoMatch(filters: LabelledFilters): string {
	const conditions =
		filters.length > 0 ? ` where ${escapeHtml(filters.map(formatFilter).join(' and '))}` : '';
	const advice = filters.length > 0 ? ' Check the spelling: United States, not USA.' : '';
	return `No leads match${conditions}.${advice}`;
}

/** An Email Status is set where previews answer. */
export const hintNoStatus = (): string =>
	"'Email Status' does not count here, as previews don't know it: Search may return fewer leads.";

/** "'Person Country' is 'Iceland', 'Norway'" */
function formatFilter([label, value]: LabelledFilters[number]): string {
	return `'${label}' is ${listOf(value)}`;
}

function listOf(value: unknown): string {
	const values = [value].flat();
	const more = values.length > 5 ? ` and ${values.length - 5} more` : '';
	return values.slice(0, 5).map(formatValue).join(', ') + more;
}

/** What a list of leads tells of a run. @param certain rows of the pages that are requested now */
export function listHints(notes: ReadonlyMap<HintKey, string>, certain: number): string[] {
	return [...notes].map(([note, text]) => NOTE_HINTS[note](escapeHtml(text), certain));
}

const NOTE_HINTS: Record<HintKey, (text: string, certain: number) => string> = {
	truncatedPage: (size) =>
		`The service serves pages of ${size} leads at most, which showed only once a larger one was charged. To save that, set 'Page Size' to ${size}.`,
	repeatedLastPage: () =>
		"The service sent its last page once more in place of one that is not there, and charged for it. With 'Parallel Pages' at 1, and in a poll, that is one page and one lead at most.",
	changedList: (leads) =>
		`The list has changed: ${quantity(Number(leads), 'lead')} came and ${leads === '1' ? 'was' : 'were'} charged again. Each is returned once, and as many new leads may be missing. To buy the whole list, start a new execution (not Retry) once these results have expired.`,
	movedRows: () =>
		'A page began with leads that had come before, as when leads are added to a list meanwhile. Some may be in the output twice, and others missing.',
	previewEnded: (text) =>
		`The preview ends here, since the service sent an unexpected answer: ${text}. There may be more leads.`,
	refusedSize: (size, certain) =>
		`The service takes no pages of ${number(Number(size))} leads, so ${number(certain)} were asked for at once. Set 'Page Size' to the most that it takes.`,
};

/** @param failed input items that got an item that says what went wrong */
export const hintFailed = (failed: number, items: number): string =>
	`${number(failed)} of ${number(items)} input items failed. Their items say why.`;
export const hintAtLeast = (rows: number): string =>
	`At least ${quantity(rows, 'lead')} match. The preview shows no more, so there may be others.`;
/** What was found, the line of the cost counts. @param urls for which there is nothing @param withEmail whether profiles without an email count as none */
export const hintNotFound = (urls: number, withEmail: boolean): string =>
	`No profile${withEmail ? ' with an email' : ''} was found for ${quantity(urls, 'URL')}. 'Unmatched URLs' under Options returns ${urls === 1 ? 'it' : 'them'}${withEmail ? "; 'Only With Emails' is on" : ''}.`;
/** @param isForAgent whether an agent asked, which can't read more at once */
export const hintLimit = (urls: number, isForAgent = false): string =>
	`${quantity(urls, 'URL was')} not looked up, since ${
		isForAgent
			? "an agent can't read more at once. Ask for them in another call."
			: "'Limit' counts the profiles of all input items together. Raise it, or turn on 'Return All'."
	}`;
export const hintSameProfiles = (profiles: number): string =>
	`Some profiles are in several input items. Look Up asks for each once: ${quantity(profiles, 'profile')}, ${quantity(profiles, 'credit')} if all are found.`;
/** A round of a loop put out no item at all. */
export const hintEmpty = (endpoint: Endpoint): string =>
	`This round returns no items, and n8n ends a loop at such a round. ${
		endpoint === 'lookUp'
			? 'Look Up needs no loop: give it all items at once.'
			: "Turn on 'Always Output Data' under Settings, and keep the empty item from what is written by an If node: {{ $json.isEmpty() }}."
	}`;

/** @param limit Infinity for all @param next how many to skip for the next ones */
export const hintFirstOf = (rows: number, limit: number, next: number): string =>
	`These are the first ${number(rows)} of ${limit === Infinity ? 'all that match' : `your ${number(limit)}`}: an agent can't read more at once. For the next ones set 'Skip' to ${next}.`;
/** Whether there are more isn't known, since no more were asked for. @param next as above */
export const hintMore = (next: number): string =>
	`There may be more. For the next ones set 'Skip' to ${next}.`;

export const hintMaxResults = (): string =>
	'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.';
/** @param repeated rows that were charged and had come before */
export const hintRepeated = (repeated: number, endpoint: Endpoint): string =>
	endpoint === 'lookUp'
		? `Profiles came back under other URLs. Finding out whose they are took ${quantity(repeated, 'credit')} more.`
		: `The service sent ${quantity(repeated, ENDPOINTS[endpoint].noun)} a second time and charged ${quantity(repeated, 'credit')} for that. Each is returned once.`;
/** @param rows under other URLs, whose owners aren't known */
export const hintUnmatched = (rows: number): string =>
	`${quantity(rows, 'profile came')} back under a URL that was not asked for, and whose they are isn't known.`;

const number = (value: number): string => value.toLocaleString('en');
