/** What the output pane shows above the items: what a run cost, and what people should know of it. */
import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { CreditFigures, LostFigures, RunFigures } from '../api/credits';
import { countRows } from '../api/ranges';
import { show } from '../parameters/invalidParameter';
import { CREDIT, listItems, MINUTE, quantity, REQUEST, RESPONSE, URL_NOUN } from './quantity';
import { escapeHtml, messageOf } from './nodeErrors';
import { formatBudgetSpent, formatSkip, type Unfinished } from './stoppedRun';

/** What was spent: '50 leads for 50 credits, 1 request'. */
export function formatCost(endpoint: Endpoint, figures: RunFigures): string {
	const { charged, requests, returned } = figures;
	return `${quantity(returned, ENDPOINTS[endpoint].noun)} for ${quantity(charged, CREDIT)}, ${quantity(requests, REQUEST)}`;
}

/** What a run cost, and the execution where that is more. */
export function hintCost(endpoint: Endpoint, run: RunFigures, execution: RunFigures): string {
	const inAll =
		execution.charged > run.charged
			? `; ${quantity(execution.charged, CREDIT)} in this execution so far`
			: '';
	return `${formatCost(endpoint, run)}${inAll}`;
}

/**
 * Rows that were paid for before.
 *
 * @param reused of them
 * @param returned in all
 * @param minutesAgo when they were paid for; undefined where that was in the same execution
 */
export function hintReused(
	endpoint: Endpoint,
	reused: number,
	returned: number,
	minutesAgo: number | undefined,
): string {
	const rows = `${reused.toLocaleString('en')} of ${quantity(returned, ENDPOINTS[endpoint].noun)}`;
	const were = reused === 1 ? 'was' : 'were';
	if (minutesAgo === undefined) {
		return `${rows} ${were} paid for earlier in this execution and cost nothing now.`;
	}
	const ago = minutesAgo < 1 ? 'less than a minute ago' : `${quantity(minutesAgo, MINUTE)} ago`;
	return `${rows} ${were} paid for ${ago} and cost nothing now. To buy them anew, set Reuse Paid Results to 0.`;
}

/** As many rows as wanted were charged, but others among them. */
export function hintMissing(unfinished: Unfinished): string {
	const rows = countRows(unfinished.remainder.rows?.missing ?? []);
	const { noun } = ENDPOINTS[unfinished.endpoint];
	return `${quantity(rows, noun)} of those asked for are missing, since others were charged in their place. To get them, ${formatSkip(unfinished)}`;
}

/** n8n could not record what Already Looked Up is to leave out. */
export function hintNotRecorded(urls: number, thrown: unknown): string {
	return `${quantity(urls, ENDPOINTS.lookUp.noun)} could not be recorded as bought, so the next execution looks them up again. n8n says: ${escapeHtml(messageOf(thrown))}.`;
}

/** A lookup for several input items reached its Limit, which is one for all of them. */
export function hintLimit(urls: number, items: number[]): string {
	const were = urls === 1 ? 'was' : 'were';
	return `${quantity(urls, URL_NOUN)} of ${listItems(items)} ${were} not looked up, since Limit counts the profiles of all input items together. Raise it, or turn on Return All.`;
}

/** The Credit Budget ended a run that has rows to emit. */
export function hintBudget(budget: number, credits: CreditFigures, unfinished: Unfinished): string {
	const bySkip = formatSkip(unfinished);
	const rest =
		bySkip === ''
			? 'Raise the Credit Budget to get them.'
			: `To get them without paying twice, ${bySkip}`;
	return `${formatBudgetSpent(budget, credits)} There may be more results. ${rest}`;
}

/** Answers were lost, though the run went on. */
export function hintLostResponses({ lostResponses, possiblyCharged }: LostFigures): string {
	return `${quantity(lostResponses, RESPONSE)} lost or could not be used. Up to ${quantity(possiblyCharged, CREDIT)} may have been charged for ${lostResponses === 1 ? 'it' : 'them'}.`;
}

/** How many values a hint names. */
const NAMED = 5;

/** Check URLs found what a lookup refuses. */
export function hintInvalidUrls(values: unknown[]): string {
	const named = values.slice(0, NAMED).map((value) => escapeHtml(show(value)));
	const more = values.length > NAMED ? ` and ${values.length - NAMED} more` : '';
	return `Look Up refuses what is no LinkedIn profile: ${named.join(', ')}${more}.`;
}

/** Several input items name the same profiles; each was counted by itself. */
export function hintSameProfiles(profiles: number): string {
	const { noun } = ENDPOINTS.lookUp;
	return `Some profiles stand in more than one input item. Look Up asks for each once: for ${quantity(profiles, noun)} in all, which cost at most ${quantity(profiles, CREDIT)}.`;
}

/** Several input items asked for the same. */
export function hintSame(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits ? ' and paid' : '';
	return `${items} input items ask for the same ${noun.many}. They were fetched${cost} once and returned for each item. To get them once, turn on Execute Once in the node's settings.`;
}

/** No search reaches further. */
export function hintMaxResults(): string {
	return 'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.';
}

/** No page that the service serves would hold the next row alone. */
export function hintUnverifiedEnd(endpoint: Endpoint): string {
	return `The lead service sent no more ${ENDPOINTS[endpoint].noun.many}, but no page that shows the end of the list either. If your credits ran out just now, there may be more.`;
}

/** Rows came that had come before, or that nobody asked for. */
export function hintRepeated(repeated: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits
		? ` and cost ${quantity(repeated, CREDIT)}, which count towards Limit`
		: '';
	return `The lead service answered with other pages than asked for. ${quantity(repeated, noun)} came twice${cost}; they are returned once. Set Page Size to what the service takes to avoid this.`;
}

/** The service sent more rows than are wanted. */
export function hintUnwanted(rows: number, endpoint: Endpoint): string {
	const { noun } = ENDPOINTS[endpoint];
	return `The lead service sent more than was asked for: ${quantity(rows, noun)} outside Skip and Limit cost ${quantity(rows, CREDIT)} and are not returned.`;
}
