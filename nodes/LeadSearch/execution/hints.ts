/** The hints about a run and its cost, as HTML. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { formatValues, type Hint, type LabelledFilters } from '../messages/hint';
import { escapeHtml } from '../messages/nodeErrors';
import { formatNumber, quantity } from '../messages/quantity';
import type { Cost } from '../paging/cost';
import { formatValue } from '../parameters/invalidParameter';

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
	const found = profiles > rows.length ? `${formatNumber(rows.length)} of ` : '';
	const results = found + quantity(Math.max(profiles, rows.length), noun);
	const payer =
		charged > 0 && credential !== '' ? ` with ${escapeHtml(formatValue(credential))}` : '';
	const cost = `${results} for ${quantity(charged, 'credit')}${payer}`;
	const workEmails = atWork < emails ? ` (${formatNumber(atWork)} with a work email)` : '';
	const withPhone = rows.filter(
		({ mobile_phone: phone }) => typeof phone === 'string' && /\d/.test(phone),
	).length;
	const phones = includesPhones ? `; ${formatNumber(withPhone)} with a phone` : '';
	const coverage =
		rows.length > 0 ? `; ${formatNumber(emails)} with an email${workEmails}${phones}` : '';
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
	const rows = reused === returned ? all : `${formatNumber(reused)} of ${quantity(returned, noun)}`;
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

const MAX_SPLIT_LISTS = 3;

export function describeSplitLists(lists: LabelledFilters): Hint {
	const texts = lists.map(([label, value]) => {
		const { length } = [value].flat();
		return escapeHtml(
			`${label} was read as ${formatNumber(length)} values: ${formatValues(value)}.`,
		);
	});
	const different = [...new Set(texts)];
	const more = different.splice(MAX_SPLIT_LISTS).length;
	if (more > 0) different.push(`Commas separate the values of ${quantity(more, 'list')} more.`);
	return different.join(' ');
}

export const describeFreeCount = (): string =>
	'Free. "credits" and "usd…" are what a search for all of these leads would cost.';

export const describeMatchingCost = (credits: number): string =>
	`Matching profiles to your URLs cost ${quantity(credits, 'credit')} more.`;

export const describeUnreadableResults = (): string =>
	'The results that the failed execution saved are in another format, so this Retry could not read them.';

export const describeFailedItems = (failed: number, items: number): string =>
	`${formatNumber(failed)} of ${formatNumber(items)} input items failed. Their output items say why.`;

export const describeEmptyRound = (endpoint: Endpoint): string =>
	`This round of the loop returns no items, so n8n ends the loop. ${
		endpoint === 'lookUp'
			? 'Look Up needs no loop: pass all items at once.'
			: "Turn on 'Always Output Data' under Settings, and remove the empty item with an If node before you write: {{ $json.isEmpty() }}."
	}`;
