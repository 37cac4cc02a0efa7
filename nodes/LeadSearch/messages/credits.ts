/** What people read about credits: what was charged, where it went, how to go on without paying twice. */
import { ENDPOINTS, MAX_RESULTS, type Endpoint, type Json } from '../api/contract';
import type { CreditAccount } from '../api/credits';
import { countRows, type RowRange } from '../api/ranges';
import type { Remainder } from '../resources/operation';
import { count, listItems } from './count';

/** What did not come of a fetch, and what of the execution was not run. */
export interface Unfinished {
	endpoint: Endpoint;
	remainder: Remainder;
	/** The input items of the fetch; none where it belongs to all of them. */
	items: number[];
	/** The input items of the fetches after it, where those were not run. */
	notRun: number[];
}

/** The state of a fetch, and of the whole execution, when a run stopped part-way. */
export interface StoppedRun extends Unfinished {
	/** Whether the node hands on what it has (On Error is one of the Continue modes). */
	continues: boolean;
	/** Rows of this fetch that came. */
	fetched: number;
	credits: CreditAccount;
}

const CREDIT = { one: 'credit', many: 'credits' };
const RESPONSE = { one: 'answer was', many: 'answers were' };
const REQUEST = { one: 'request', many: 'requests' };
const URL_NOUN = { one: 'URL', many: 'URLs' };

/** What an execution cost: '50 leads for 50 credits, 1 request'. */
export function formatCost(endpoint: Endpoint, rows: number, credits: CreditAccount): string {
	const { charged, requests } = credits;
	return `${count(rows, ENDPOINTS[endpoint].noun)} for ${count(charged, CREDIT)}, ${count(requests, REQUEST)}`;
}

/** Sentences for the description of a failure; none where nothing costs credits. */
export function formatStoppedRun(run: StoppedRun): string {
	if (!ENDPOINTS[run.endpoint].costsCredits) return '';
	return [formatCharged(run), formatResume(run, run.credits.charged), formatLost(run.credits)]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

/** The same as data, for workflows that go on by themselves. */
export function stoppedRunDetails(run: StoppedRun, status: number | undefined): Json {
	const { rows, urls = 0 } = run.remainder;
	const [first] = rows?.missing ?? [];
	const asLimit = ({ from, to }: RowRange) =>
		rows?.isReturnAll && to === MAX_RESULTS ? null : to - from;
	return {
		status: status ?? null,
		creditsSpent: run.credits.charged,
		fetched: run.fetched,
		...(rows && {
			skip: first?.from ?? rows.wanted.to,
			limit: first ? asLimit({ from: first.from, to: rows.wanted.to }) : 0,
		}),
		missing: rows
			? rows.missing.map((range) => ({ skip: range.from, limit: asLimit(range) }))
			: urls,
	};
}

function formatCharged({ endpoint, continues, fetched, credits, items }: StoppedRun): string {
	const { charged, possiblyCharged } = credits;
	if (charged === 0) return possiblyCharged > 0 ? '' : 'Nothing was charged.';
	const what = count(fetched, ENDPOINTS[endpoint].noun);
	const list = items.length === 0 ? '' : ` for ${listItems(items)}`;
	const inAll =
		charged === fetched
			? []
			: [
					`In this execution ${count(charged, CREDIT)} ${charged === 1 ? 'was' : 'were'} spent in all.`,
				];
	if (continues) {
		const kept = `${what} fetched${list} before and charged are in the output.`;
		return [...(fetched > 0 ? [kept] : []), ...inAll].join(' ');
	}
	const because = 'because On Error is set to Stop Workflow.';
	const lost =
		fetched > 0
			? [`${what} fetched${list} before and charged, but not handed on, ${because}`, ...inAll]
			: [...inAll, `Their results are not handed on, ${because}`];
	const advice =
		'To keep what is fetched before a run stops, set On Error to one of the Continue modes.';
	return [...lost, advice].join(' ');
}

/** Where a list stands, in terms of Skip and Limit. */
interface Position {
	/** What to set in Skip to go on; rows from the start of the list. */
	skip: number;
	/** What is left of Limit behind it; Infinity where all are returned. */
	limit: number;
	/** Rows that are missing before it. */
	gaps: RowRange[];
	/** Whether nothing came, so that Skip and Limit can stay as they are. */
	isUntouched: boolean;
	/** Whether there is nothing to go on with behind the gaps. */
	isOver: boolean;
}

function positionOf({ wanted, isReturnAll, missing }: NonNullable<Remainder['rows']>): Position {
	const last = missing.at(-1);
	const isOpen = last?.to === wanted.to;
	const skip = isOpen ? last.from : wanted.to;
	return {
		skip,
		limit: isReturnAll ? Infinity : wanted.to - skip,
		gaps: isOpen ? missing.slice(0, -1) : missing,
		isUntouched: countRows(missing) === wanted.to - wanted.from,
		isOver: !isOpen,
	};
}

/**
 * How to get the rest without paying for anything twice. Skip and Limit count for every input item, so
 * those who have had theirs, or need other values, must stay out of that run. Where nothing was
 * charged there is nothing to pay twice.
 */
function formatResume(unfinished: Unfinished, charged: number): string {
	if (charged === 0) return '';
	const { endpoint, remainder, items, notRun } = unfinished;
	if (!remainder.rows) return formatResumeUrls(remainder.urls ?? 0, notRun);
	const position = positionOf(remainder.rows);
	const only = items.length === 0 ? '' : `run again with only ${listItems(items)}, and `;
	const others =
		notRun.length === 0
			? ''
			: ` Then run again with only ${listItems(notRun)}, 'Skip' and 'Limit' as they are now.`;
	if (position.gaps.length > 0) {
		const returnAll = remainder.rows.isReturnAll ? "turn 'Return All' on, and " : '';
		const onward = position.isOver
			? ''
			: ` After that, ${only}${returnAll}${setSkip(position)}.`;
		return `${formatGaps(unfinished)}${onward}${others}`;
	}
	if (position.isOver || position.isUntouched) {
		const again = position.isOver ? notRun : [...items, ...notRun];
		return again.length === 0
			? ''
			: `To go on without paying twice, run again with only ${listItems(again)}.`;
	}
	const from = (position.skip + 1).toLocaleString('en');
	return `To go on without paying twice, ${only}${setSkip(position)}. That fetches the ${ENDPOINTS[endpoint].noun.many} from number ${from} on.${others}`;
}

function formatResumeUrls(urls: number, notRun: number[]): string {
	const others = notRun.length === 0 ? '' : ` and with ${listItems(notRun)}`;
	return urls === 0
		? ''
		: `${count(urls, URL_NOUN)} were not looked up. To go on without paying twice, run again with only these${others}.`;
}

function setSkip({ skip, limit }: Position): string {
	const andLimit = Number.isFinite(limit) ? ` and 'Limit' to ${limit}` : '';
	return `set 'Skip' (under Options) to ${skip}${andLimit}`;
}

/** Which rows did not come although later ones did, and how to get them; a hint by itself too. */
export function formatGaps({ endpoint, remainder, items }: Unfinished): string {
	if (!remainder.rows) return '';
	const { gaps } = positionOf(remainder.rows);
	const ranges = gaps.map(({ from, to }) => {
		const first = (from + 1).toLocaleString('en');
		return `${first} to ${to.toLocaleString('en')} ('Skip' ${from}, 'Limit' ${to - from})`;
	});
	const only = items.length === 0 ? '' : ` with only ${listItems(items)} and`;
	const noReturnAll = remainder.rows.isReturnAll ? ", and with 'Return All' off" : '';
	return `Missing in between: the ${ENDPOINTS[endpoint].noun.many} from number ${ranges.join(', and ')}. To get them without paying for others twice, run again${only} with these values of 'Skip' (under Options) and 'Limit'${noReturnAll}.`;
}

function formatLost({ lostResponses, possiblyCharged }: CreditAccount): string {
	if (lostResponses === 0) return '';
	return `${count(lostResponses, RESPONSE)} lost or could not be used, for which up to ${count(possiblyCharged, CREDIT)} may have been charged.`;
}

/** Hint: the Credit Budget ended the run. */
export function hintBudget(credits: CreditAccount, unfinished: Unfinished): string {
	const { budget, charged, possiblyCharged } = credits;
	const lost =
		possiblyCharged === 0
			? ''
			: ` and up to ${count(possiblyCharged, CREDIT)} for answers that were lost`;
	const resume = formatResume(unfinished, charged);
	return `The Credit Budget of ${count(budget, CREDIT)} ended this run: ${count(charged, CREDIT)} spent${lost}. There may be more results. ${resume === '' ? 'Raise the Credit Budget to get them.' : resume}`;
}

/** Hint: answers were lost, though the run went on. */
export function hintLostResponses({ lostResponses, possiblyCharged }: CreditAccount): string {
	return `${count(lostResponses, RESPONSE)} lost or could not be used. Up to ${count(possiblyCharged, CREDIT)} may have been charged for ${lostResponses === 1 ? 'it' : 'them'}.`;
}

/** Hint: several input items asked for the same. */
export function hintSame(items: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits ? ' and paid' : '';
	return `${items} input items ask for the same ${noun.many}. They were fetched${cost} once and returned for each item. To get them once, turn on Execute Once in the node's settings.`;
}

/** Hint: no search reaches further. */
export function hintCeiling(): string {
	return 'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.';
}

/** Hint: the service serves pages of one size alone, so the question about the next row has no answer. */
export function hintUnverifiedEnd(endpoint: Endpoint): string {
	return `The lead service says that no more ${ENDPOINTS[endpoint].noun.many} follow, but it ignores the page size, so that can't be verified. If your credits ran out just now, there may be more.`;
}

/** Hint: rows came that had come before, or that nobody asked for. */
export function hintRepeated(repeated: number, endpoint: Endpoint): string {
	const { noun, costsCredits } = ENDPOINTS[endpoint];
	const cost = costsCredits
		? ` and cost ${count(repeated, CREDIT)}, which count towards Limit`
		: '';
	return `The lead service answered with other pages than asked for. ${count(repeated, noun)} came twice${cost}; they are returned once. Set Page Size to what the service takes to avoid this.`;
}

/** Hint: the service sent more rows than are wanted. */
export function hintUnwanted(rows: number, endpoint: Endpoint): string {
	const { noun } = ENDPOINTS[endpoint];
	return `The lead service sent more than was asked for: ${count(rows, noun)} outside Skip and Limit cost ${count(rows, CREDIT)} and are not returned.`;
}
