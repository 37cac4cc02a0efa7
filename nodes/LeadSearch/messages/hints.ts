/** The hints that the output pane shows above the items, as lines of HTML. */
import type { NodeHint } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import type { HintKey } from '../paging/leadList';
import type { Cost } from '../paging/pagedList';
import { formatValue } from '../parameters/invalidParameter';
import { escapeHtml } from './nodeErrors';
import { quantity } from './quantity';

/** A line of a hint; false or undefined if there is nothing to show. */
export type Hint = string | false | undefined;

/**
 * Creates a warning that the editor shows in the output pane while a condition is true, before and after runs.
 *
 * @param condition the content of an n8n expression, without `={{` and `}}`
 */
export const createWarning = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
});

/**
 * Joins hints into one box of n8n's output pane, as lines of HTML without duplicates. Returns an empty string if
 * there are no hints.
 */
export function joinLines(texts: Hint[]): string {
	return [...new Set(texts)].filter((text) => text).join('<br>');
}

/**
 * Formats the cost of a run: '50 leads for 50 credits'. Wasted rows are rows that were charged, but that the list had
 * already. They count as credits, but not as leads: with 2 wasted rows, the result is '48 leads for 50 credits'.
 */
export function formatCost(endpoint: Endpoint, { charged, wasted }: Cost): string {
	return `${quantity(charged - wasted, ENDPOINTS[endpoint].noun)} for ${quantity(charged, 'credit')}`;
}

/**
 * Says what a run cost: '50 leads for 50 credits; 43 with an email; 100 credits by this node in this execution so far'
 *
 * @param run the cost of the run. `totalCharged` is the number of credits that were charged for all runs with the same
 * spending limits, including this run
 * @param rows the rows in the output
 * @param isExecution whether `totalCharged` adds up the runs of this node in one execution. If not, the node was called
 * without an execution (n8n's own Agents do that), and it adds up all calls with the credential in the last 60 minutes
 * @param profiles the number of requested profiles; 0 for a search
 */
export function describeCost(
	endpoint: Endpoint,
	run: Cost & { totalCharged: number },
	rows: Json[],
	isExecution: boolean,
	profiles = 0,
): string {
	const { charged, totalCharged } = run;
	const others = rows.filter(({ work_email: work }) => !hasEmail(work));
	const atWork = rows.length - others.length;
	const emails = atWork + others.filter(({ personal_emails: own }) => hasEmail(own)).length;
	const { noun } = ENDPOINTS[endpoint];
	const found = profiles > rows.length ? `${number(rows.length)} of ` : '';
	const results = found + quantity(Math.max(profiles, rows.length), noun);
	const cost = `${results} for ${quantity(charged, 'credit')}`;
	const workEmails = atWork < emails ? ` (${number(atWork)} with a work email)` : '';
	const coverage = rows.length > 0 ? `; ${number(emails)} with an email${workEmails}` : '';
	const where = isExecution
		? 'by this node in this execution so far'
		: 'within the last 60 minutes';
	const total = totalCharged > charged ? `; ${quantity(totalCharged, 'credit')} ${where}` : '';
	return `${cost}${coverage}${total}`;
}

const EMAIL = /\S@\S/;

/** Whether a string, or a list of strings, contains an email address. Placeholders such as 'N/A' don't count. */
function hasEmail(value: unknown): boolean {
	if (typeof value === 'string') return EMAIL.test(value);
	return Array.isArray(value) && value.some(hasEmail);
}

/**
 * Says how many rows were reused, so that they cost no credits.
 *
 * @param counts `reused` is the number of reused rows, and `returned` is the number of rows in the output
 * @param minutesAgo the minutes since the oldest reused row was paid for
 * @param canBuyAgain whether Reuse Paid Results is above 0. If so, the hint advises to set Reuse Paid Results to 0 to
 * buy the rows again. If it is 0 already, this advice would change nothing
 */
export function describeReusedRows(
	endpoint: Endpoint,
	{ reused, returned }: { reused: number; returned: number },
	minutesAgo: number,
	canBuyAgain = true,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const [all, were, they, them] =
		reused === 1
			? [`The ${noun}`, 'was', 'It was', 'it']
			: [`All ${quantity(reused, noun)}`, 'were', 'They were', 'them'];
	const rows = reused === returned ? all : `${number(reused)} of ${quantity(returned, noun)}`;
	const age = quantity(Math.max(1, minutesAgo), 'minute');
	const advice = canBuyAgain ? ` To buy ${them} again, set 'Reuse Paid Results' to 0.` : '';
	return `${rows} ${were} reused for 0 credits. ${they} bought at most ${age} ago.${advice}`;
}

/**
 * Warns that a failure has ended a list. The rows received before the failure are in the output.
 *
 * @param rows the number of rows received before the failure
 * @param errors the place where users find the reason: 'error branch' if On Error sends error items to an output of
 * their own, otherwise 'item that says why', the error item among the results
 */
export function describeTruncation(
	endpoint: Endpoint,
	rows: number,
	isOutOfCredits: boolean,
	errors: 'item that says why' | 'error branch',
): string {
	const reason = isOutOfCredits ? 'the credits ran out' : 'a request failed';
	return `This list is incomplete: ${reason} after ${quantity(rows, ENDPOINTS[endpoint].noun)}. See the ${errors}.`;
}

/** Says that several input items made the same request. */
export function describeDuplicateItems(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	return `${items} input items request the same ${noun}s. They were fetched${costsCredits ? ' and paid for' : ''} once, and are returned for each item. To get them once, turn on 'Execute Once' under Settings.`;
}

/**
 * Says that the service refused to send the next page, although nothing showed that the list ends there. More leads may
 * match.
 *
 * @param rows the number of rows in the list before the refused page
 * @param text the reason that the service gave; undefined if it gave none
 */
export function describeRefusal(rows: number, text: string | undefined): string {
	const quote = text === undefined ? '' : ` (it said: ${escapeHtml(text)})`;
	return `The service refused to return leads after row ${number(rows)}${quote}. If more leads match, use narrower filters to get them.`;
}

/**
 * Says how many entries Look Up would reject. It quotes no entry, because n8n shows hints even if the data of an
 * execution is hidden.
 *
 * @param rejected the number of rejected entries
 * @param kinds the reasons and the number of entries for each, such as 'a short link (2); a page of another kind (1)'
 * @param advice what to write instead
 */
export const describeInvalidUrls = (rejected: number, kinds: string, advice: string): string =>
	`Look Up rejects ${number(rejected)} ${rejected === 1 ? 'entry' : 'entries'}: ${kinds}. ${advice}`;

/** The label of each filter, and the value that was sent. */
export type LabelledFilters = Array<[label: string, value: unknown]>;

const CHECK_SPELLING = "Check the spelling, for example 'United States' instead of 'USA'.";

/**
 * Says that no lead matches the filters: "No leads match where 'Person Country' is 'USA'.", followed by advice to check
 * the spelling.
 */
export function describeNoMatch(filters: LabelledFilters): string {
	const conditions =
		filters.length > 0 ? ` where ${escapeHtml(filters.map(formatFilter).join(' and '))}` : '';
	const advice = filters.length > 0 ? ` ${CHECK_SPELLING}` : '';
	return `No leads match${conditions}.${advice}`;
}

/** Says that a preview ignores the Email Status that is set. */
export const describeIgnoredStatus = (): string =>
	"Count and Preview ignore 'Email Status', so Search may return fewer leads.";

/** Formats a filter: "'Person Country' is 'Iceland', 'Norway'". */
function formatFilter([label, value]: LabelledFilters[number]): string {
	return `'${label}' is ${formatValues(value)}`;
}

function formatValues(value: unknown): string {
	const values = [value].flat();
	const more = values.length > 5 ? ` and ${values.length - 5} more` : '';
	return values.slice(0, 5).map(formatValue).join(', ') + more;
}

/**
 * Returns the hints about unexpected events in a list of leads during a run, for example that the list has changed.
 *
 * @param notes the events, each with the number or the text that its hint contains: `Map { 'changedList' => '10' }`
 */
export function describeListHints(notes: ReadonlyMap<HintKey, string>): string[] {
	return [...notes].map(([note, text]) => LIST_HINTS[note](escapeHtml(text)));
}

const LIST_HINTS: Record<HintKey, (text: string) => string> = {
	truncatedPage: (size) =>
		`The service returns at most ${size} leads per page, but said so only in a page that it charged for. To avoid this charge, set 'Page Size' to ${size}.`,
	repeatedLastPage: () =>
		"The service sent the last page a second time and charged for it. To limit this charge to one page and one lead, set 'Parallel Pages' to 1. The trigger always sends one request at a time.",
	changedList: (leads) =>
		`The list has changed since its first leads were paid for: ${quantity(Number(leads), 'lead')} came twice, so the same number of new leads may be missing.`,
	movedRows: () =>
		'A page started with leads that were already received. This happens if the list changes during a run. The output may contain some leads twice, and other leads may be missing.',
	previewEnded: (text) =>
		`The preview ends here, because the service sent an unexpected response: ${text}. There may be more leads.`,
};

/**
 * Says how many input items failed.
 *
 * @param failed how many input items have an error item
 */
export const describeFailedItems = (failed: number, items: number): string =>
	`${number(failed)} of ${number(items)} input items failed. Their output items say why.`;

/** Says that the number of leads that Count found is a minimum: more leads may match. */
export const describeLowerBound = (rows: number): string =>
	`At least ${quantity(rows, 'lead')} match. The preview shows no further leads, but there may be more.`;

/**
 * Says for how many URLs no profile was found. The number of found profiles is in another hint, the one of
 * `describeCost`.
 *
 * @param withEmail whether Only With Emails is on, so that profiles without an email count as not found
 */
export function describeNotFound(urls: number, withEmail: boolean): string {
	const [email, option] = withEmail ? [' with an email', " ('Only With Emails' is on)"] : ['', ''];
	return `No profile${email} was found for ${quantity(urls, 'URL')}${option}. To return ${urls === 1 ? 'it' : 'them'}, set 'Unmatched URLs' under Options.`;
}

/**
 * Says how many URLs were not looked up because of Limit.
 *
 * @param isForAgent whether an AI agent made the request. An agent can't read more profiles in one call, so the hint
 * advises another call instead of a higher Limit
 */
export const describeLimit = (urls: number, isForAgent = false): string =>
	`${quantity(urls, 'URL was')} not looked up, because ${
		isForAgent
			? "an agent can't read more at once. Request them in another call."
			: "'Limit' counts the profiles of all input items together. Raise 'Limit', or turn on 'Return All'."
	}`;

/** Says that some profiles occur in more than one input item. */
export const describeDuplicateProfiles = (profiles: number): string =>
	`Some profiles are in several input items. Look Up requests each of them once: ${quantity(profiles, 'profile')}, ${quantity(profiles, 'credit')} if all are found.`;

/** Warns that a round of a loop returns no item. */
export const describeEmptyRound = (endpoint: Endpoint): string =>
	`This round of the loop returns no items, so n8n ends the loop. ${
		endpoint === 'lookUp'
			? 'Look Up needs no loop: pass all items at once.'
			: "Turn on 'Always Output Data' under Settings, and remove the empty item with an If node before you write: {{ $json.isEmpty() }}."
	}`;

/**
 * Says to an AI agent that it got fewer rows than it requested, because it can't read more at once.
 *
 * @param rows the number of rows in the output
 * @param limit the number of rows that the agent requested; Infinity if it requested all
 * @param next the value of Skip with which the agent gets the next rows
 */
export const describeReadableRows = (rows: number, limit: number, next: number): string =>
	`These are the first ${number(rows)} of ${limit === Infinity ? 'all leads that match' : `the ${number(limit)} leads that you requested`}: an agent can't read more at once. To get the next leads, set 'Skip' to ${next}.`;

/**
 * Says how to get more leads after a search that ended at Limit. Nothing after Limit was requested, so the hint says
 * only that there may be more leads.
 *
 * @param next the value of Skip with which a search gets the next leads
 * @param isTool whether the node is a tool: its 'Skip' isn't under Options
 */
export const describeNextRows = (next: number, isTool: boolean): string =>
	`There may be more leads. To get the next leads, set 'Skip'${isTool ? '' : ' under Options'} to ${next}.`;

/** Says that no returned row has these countries, although the filter 'Person Country' contains them. */
export const describeAbsentCountries = (countries: readonly string[], rows: number): string =>
	`None of these ${quantity(rows, 'lead')} is in ${escapeHtml(formatCountries(countries))}. ${CHECK_SPELLING}`;

/** Formats countries as in a sentence: 'USA, Germany or Iceland'. */
function formatCountries(countries: readonly string[]): string {
	const named = countries
		.slice(0, 5)
		.map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name));
	const more = countries.length > 5 ? [`${countries.length - 5} more`] : [];
	const [last = '', ...others] = [...named, ...more].reverse();
	return others.length > 0 ? `${others.reverse().join(', ')} or ${last}` : last;
}

/**
 * Says how many entries of the parameter LinkedIn URLs contain no LinkedIn profile: '2 of 60 rows contain no LinkedIn
 * profile URL: a short link (2).'
 *
 * @param rejected the number of entries without a profile
 * @param total the number of all entries
 * @param unit how the hint names an entry: 'row' if each input item has exactly one, otherwise 'entry'
 * @param kinds the reasons and the number of entries for each, such as 'a short link (2); a page of another kind (1)'
 */
export function describeNoProfiles(
	rejected: number,
	total: number,
	unit: 'row' | 'entry',
	kinds: string,
): string {
	const units = unit === 'row' ? 'rows' : 'entries';
	const ofAll = `${number(rejected)} of ${total === 1 ? `1 ${unit}` : `${number(total)} ${units}`}`;
	const verb = rejected === 1 ? 'contains' : 'contain';
	const reason =
		rejected === total
			? '. Check the name of the column, and whether the field is set to Expression.'
			: `: ${kinds}.`;
	return `${ofAll} ${verb} no LinkedIn profile URL${reason}`;
}

/** Says that the search reached the largest number of results of the service. */
export const describeMaxResults = (): string =>
	'The search reached 100,000 results, the limit of the lead service. Use narrower filters to get the rest.';

/**
 * Says how many credits were spent on rows that the list had already.
 *
 * - Search: the service sent a row again, for example with its last page.
 * - Look Up: the service returned a profile under another URL than the requested one, for example after a change of
 * name. The node then requested a URL alone to see whether the same profile comes back. That response costs a credit,
 * too.
 *
 * @param repeated the number of rows that were received again
 */
export const describeRepeatedRows = (repeated: number, endpoint: Endpoint): string =>
	endpoint === 'lookUp'
		? `The service returned profiles under other URLs. Matching them to your URLs cost ${quantity(repeated, 'credit')} more.`
		: `The service sent ${quantity(repeated, ENDPOINTS[endpoint].noun)} again and charged ${quantity(repeated, 'credit')} for that. Each ${ENDPOINTS[endpoint].noun} is returned once.`;

/**
 * Says how many profiles the service returned under URLs that weren't requested, so that the node doesn't know which of
 * the requested URLs they belong to.
 */
export const describeUnmatchedRows = (rows: number): string =>
	`${quantity(rows, 'profile')} came back under other URLs and could not be matched to your URLs.`;

const number = (value: number): string => value.toLocaleString('en');
