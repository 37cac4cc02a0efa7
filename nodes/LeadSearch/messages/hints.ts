/** The hints that the output pane shows above the items, as lines of HTML. */
import type { NodeHint } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import type { HintKey } from '../paging/leadList';
import type { Cost } from '../paging/cost';
import { formatValue } from '../parameters/invalidParameter';
import { escapeHtml } from './nodeErrors';
import { quantity } from './quantity';

/** A line of HTML in the output pane. It is false or undefined if there is nothing to show. */
export type Hint = string | false | undefined;

/** Declares a warning of the editor. `condition` is an n8n expression, without `={{` and `}}`. */
export const createWarning = (message: string, condition: string): NodeHint => ({
	message,
	displayCondition: `={{ ${condition} }}`,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
});

export function joinLines(texts: Hint[]): string {
	return [...new Set(texts)].filter((text) => text).join('<br>');
}

/** Wasted rows count as credits, but not as leads. */
export function formatCost(endpoint: Endpoint, { charged, wasted }: Cost): string {
	return `${quantity(charged - wasted, ENDPOINTS[endpoint].noun)} for ${quantity(charged, 'credit')}`;
}

/** `totalCharged` includes the earlier runs that share Max Credits. `profiles` is the number of requested profiles. */
export function describeCost(
	endpoint: Endpoint,
	run: Cost & {
		totalCharged: number;
		isExecution: boolean;
		profiles?: number;
		includesPhones?: boolean;
		credential?: string;
	},
	rows: Json[],
): string {
	const { charged, totalCharged, isExecution, profiles = 0, includesPhones, credential = '' } = run;
	const others = rows.filter(({ work_email: work }) => !hasEmail(work));
	const atWork = rows.length - others.length;
	const emails = atWork + others.filter(({ personal_emails: own }) => hasEmail(own)).length;
	const { noun } = ENDPOINTS[endpoint];
	const found = profiles > rows.length ? `${number(rows.length)} of ` : '';
	const results = found + quantity(Math.max(profiles, rows.length), noun);
	const payer =
		charged > 0 && credential !== '' ? ` with ${escapeHtml(formatValue(credential))}` : '';
	const cost = `${results} for ${quantity(charged, 'credit')}${payer}`;
	const workEmails = atWork < emails ? ` (${number(atWork)} with a work email)` : '';
	const withPhone = rows.filter(
		({ mobile_phone: phone }) => typeof phone === 'string' && /\d/.test(phone),
	).length;
	const phones = includesPhones ? `; ${number(withPhone)} with a phone` : '';
	const coverage = rows.length > 0 ? `; ${number(emails)} with an email${workEmails}${phones}` : '';
	const where = isExecution
		? 'by this node in this execution so far'
		: 'within the last 60 minutes';
	const total = totalCharged > charged ? `; ${quantity(totalCharged, 'credit')} ${where}` : '';
	return `${cost}${coverage}${total}`;
}

const EMAIL = /\S@\S/;

/** Placeholders such as 'N/A' don't count. */
function hasEmail(value: unknown): boolean {
	if (typeof value === 'string') return EMAIL.test(value);
	return Array.isArray(value) && value.some(hasEmail);
}

/** `until` is undefined if only this execution reuses the rows. */
export function describeReusedRows(
	endpoint: Endpoint,
	{ reused, returned }: { reused: number; returned: number },
	until: string | undefined,
): string {
	const { noun } = ENDPOINTS[endpoint];
	const [all, were, they] =
		reused === 1
			? [`The ${noun}`, 'was', 'It is']
			: [`All ${quantity(reused, noun)}`, 'were', 'They are'];
	const rows = reused === returned ? all : `${number(reused)} of ${quantity(returned, noun)}`;
	const validity = until === undefined ? '' : ` ${they} free until ${until}, in this n8n process.`;
	return `${rows} ${were} reused for 0 credits.${validity}`;
}

export function describeTruncation(
	endpoint: Endpoint,
	rows: number,
	isOutOfCredits: boolean,
	errors: 'item that says why' | 'error branch',
): string {
	const reason = isOutOfCredits ? 'the credits ran out' : 'a request failed';
	return `This list is incomplete: ${reason} after ${quantity(rows, ENDPOINTS[endpoint].noun)}. See the ${errors}.`;
}

export function describeDuplicateItems(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	return `${items} input items request the same ${noun}s. They were fetched${costsCredits ? ' and paid for' : ''} once, and are returned for each item. To get them once, turn on 'Execute Once' under Settings.`;
}

export function describeRefusal(rows: number, text: string | undefined): string {
	const quote = text === undefined ? '' : ` (it said: ${escapeHtml(text)})`;
	return `The service refused to return leads after row ${number(rows)}${quote}. If more leads match, use narrower filters to get them.`;
}

/** Quotes no entry, because n8n shows hints even if the data of an execution is hidden. */
export const describeInvalidUrls = (rejected: number, kinds: string, advice: string): string =>
	`Look Up rejects ${number(rejected)} ${rejected === 1 ? 'entry' : 'entries'}: ${kinds}. ${advice}`;

export type LabelledFilters = Array<readonly [label: string, value: unknown]>;

const CHECK_COUNTRY = "For a country, write 'United States', not 'USA'.";

/** What to try for each filter, by its label. Other labels are fields of Other Filters (JSON). */
const FILTER_ADVICE: Readonly<Record<string, string>> = {
	'Job Titles':
		"For a job title, try the full title, such as 'Chief Executive Officer', or 'Job Title Seniority'.",
	'Job Title Seniority': "For a seniority, the known values are 'owner' and 'cxo'.",
	'Person Country': CHECK_COUNTRY,
	'Email Status': "For more leads, set 'Email Status' to All.",
};

export function describeNoMatch(filters: LabelledFilters): string {
	const conditions =
		filters.length > 0 ? ` where ${escapeHtml(filters.map(formatFilter).join(' and '))}` : '';
	const advice = filters.map(
		([label]) => FILTER_ADVICE[label] ?? "Check the names and values in 'Other Filters'.",
	);
	return [`No leads match${conditions}.`, ...new Set(advice)].join(' ');
}

export const describeIgnoredStatus = (): string =>
	"Count and Preview ignore 'Email Status', so Search may return fewer leads.";

function formatFilter([label, value]: LabelledFilters[number]): string {
	return `'${label}' is ${formatValues(value)}`;
}

function formatValues(value: unknown): string {
	const values = [value].flat();
	const more = values.length > 5 ? ` and ${values.length - 5} more` : '';
	return values.slice(0, 5).map(formatValue).join(', ') + more;
}

const MAX_SPLIT_LISTS = 3;

export function describeSplitLists(lists: LabelledFilters): Hint {
	const texts = lists.map(([label, value]) => {
		const { length } = [value].flat();
		return escapeHtml(`${label} was read as ${number(length)} values: ${formatValues(value)}.`);
	});
	const different = [...new Set(texts)];
	const more = different.splice(MAX_SPLIT_LISTS).length;
	if (more > 0) different.push(`Commas separate the values of ${quantity(more, 'list')} more.`);
	return different.join(' ');
}

export const describeFreeCount = (): string =>
	'Free. "credits" and "usd…" are what a search for all of these leads would cost.';

export function describeListHints(notes: ReadonlyMap<HintKey, string>): string[] {
	return [...notes].map(([note, text]) => LIST_HINTS[note](escapeHtml(text)));
}

const LIST_HINTS: Record<HintKey, (text: string) => string> = {
	truncatedPage: (size) =>
		`The service returns at most ${size} leads per page, but said so only in a page that it charged for. To avoid this charge, set 'Page Size' to ${size}.`,
	repeatedLastPage: () =>
		"The service sent the last page a second time and charged for it. To limit this charge to one page and one lead, set 'Parallel Pages' to 1. The trigger always sends one request at a time.",
	previewEnded: (text) =>
		`The preview ends here, because the service sent an unexpected response: ${text}. There may be more leads.`,
};

export const describeFailedItems = (failed: number, items: number): string =>
	`${number(failed)} of ${number(items)} input items failed. Their output items say why.`;

export const describeLowerBound = (rows: number): string =>
	`At least ${quantity(rows, 'lead')} match. The preview shows no further leads, but there may be more.`;

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

export const describeDuplicateProfiles = (profiles: number): string =>
	`Some profiles are in several input items. Look Up requests each of them once: ${quantity(profiles, 'profile')}, ${quantity(profiles, 'credit')} if all are found.`;

export const describeEmptyRound = (endpoint: Endpoint): string =>
	`This round of the loop returns no items, so n8n ends the loop. ${
		endpoint === 'lookUp'
			? 'Look Up needs no loop: pass all items at once.'
			: "Turn on 'Always Output Data' under Settings, and remove the empty item with an If node before you write: {{ $json.isEmpty() }}."
	}`;

export const describeReadableRows = (rows: number, limit: number, next: number): string =>
	`These are the first ${number(rows)} of ${limit === Infinity ? 'all leads that match' : `the ${number(limit)} leads that you requested`}: an agent can't read more at once. To get the next leads, set 'Skip' to ${next}.`;

export const describeNextRows = (next: number, isTool: boolean): string =>
	`There may be more leads. To get the next leads, set 'Skip'${isTool ? '' : ' under Options'} to ${next}.`;

export const describeAbsentCountries = (countries: readonly string[], rows: number): string =>
	`None of these ${quantity(rows, 'lead')} is in ${escapeHtml(formatCountries(countries))}. ${CHECK_COUNTRY}`;

function formatCountries(countries: readonly string[]): string {
	const named = countries
		.slice(0, 5)
		.map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name));
	const more = countries.length > 5 ? [`${countries.length - 5} more`] : [];
	const [last = '', ...others] = [...named, ...more].reverse();
	return others.length > 0 ? `${others.reverse().join(', ')} or ${last}` : last;
}

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

export const describeMaxResults = (): string =>
	'The search reached 100,000 results, the limit of the lead service. Use narrower filters to get the rest.';

export const describeUnreadableResults = (): string =>
	'The results that the failed execution saved are in another format, so this Retry could not read them.';

export const describeMatchingCost = (credits: number): string =>
	`Matching profiles to your URLs cost ${quantity(credits, 'credit')} more.`;

export function describeRepeats(leads: number, isPaidNow: boolean): string {
	const reason = "The list changed while it was read, or the service's order isn't stable, so";
	if (leads === 0) return `${reason} some leads may be missing.`;
	const returned = isPaidNow
		? ''
		: ` when ${leads === 1 ? 'it was bought, and is' : 'they were bought, and are'} returned once`;
	const others = leads === 1 ? 'another lead' : 'as many others';
	return `${quantity(leads, 'lead was')} sent and charged twice${returned}. ${reason} ${others} may be missing.`;
}

export const describeRenamedProfiles = (profiles: number): string =>
	profiles === 1
		? '1 profile came back under another URL than yours, for example because the person has changed it.'
		: `${quantity(profiles, 'profile')} came back under other URLs than yours, for example because the people have changed them.`;

export const describeUnmatchedRows = (rows: number): string =>
	`${quantity(rows, 'profile')} came back under other URLs and could not be matched to your URLs.`;

const number = (value: number): string => value.toLocaleString('en');
