/** The hints about leads, as HTML. */
import { ENDPOINTS, type Endpoint } from '../../api/contract';
import { formatValues, type LabelledFilters } from '../../messages/hint';
import { escapeHtml } from '../../messages/nodeErrors';
import { formatNumber, quantity } from '../../messages/quantity';
import type { HintKey } from '../../paging/leadList';

export function describeDuplicateItems(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	return `${items} input items request the same ${noun}s. They were fetched${costsCredits ? ' and paid for' : ''} once, and are returned for each item. To get them once, turn on 'Execute Once' under Settings.`;
}

export function describeRefusal(rows: number, text: string | undefined): string {
	const quote = text === undefined ? '' : ` (it said: ${escapeHtml(text)})`;
	return `The service refused to return leads after row ${formatNumber(rows)}${quote}. If more leads match, use narrower filters to get them.`;
}

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

function formatFilter([label, value]: LabelledFilters[number]): string {
	return `'${label}' is ${formatValues(value)}`;
}

export const describeIgnoredStatus = (): string =>
	"Count and Preview ignore 'Email Status', so Search may return fewer leads.";

export const describeLowerBound = (rows: number): string =>
	`At least ${quantity(rows, 'lead')} match. The preview shows no further leads, but there may be more.`;

export const describeReadableRows = (rows: number, limit: number, next: number): string =>
	`These are the first ${formatNumber(rows)} of ${limit === Infinity ? 'all leads that match' : `the ${formatNumber(limit)} leads that you requested`}: an agent can't read more at once. To get the next leads, set 'Skip' to ${next}.`;

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

export const describeMaxResults = (): string =>
	'The search reached 100,000 results, the limit of the lead service. Use narrower filters to get the rest.';

export function describeRepeats(leads: number, isPaidNow: boolean): string {
	const reason = "The list changed while it was read, or the service's order isn't stable, so";
	if (leads === 0) return `${reason} some leads may be missing.`;
	const returned = isPaidNow
		? ''
		: ` when ${leads === 1 ? 'it was bought, and is' : 'they were bought, and are'} returned once`;
	const others = leads === 1 ? 'another lead' : 'as many others';
	return `${quantity(leads, 'lead was')} sent and charged twice${returned}. ${reason} ${others} may be missing.`;
}

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
