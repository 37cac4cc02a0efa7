/** What people read about money: what was charged, where it went, how to go on without paying twice. */
import { MAX_RESULTS, type Endpoint } from '../service/contract';
import { count, NOUN } from './failureMessages';
import type { Gap } from './gap';

/** The state of a list, and of the whole execution, when a run stopped part-way. */
export interface Standing extends Gap {
	/** Whether the node hands on what it has (On Error is one of the Continue modes). */
	continues: boolean;
	/** Results of this list that were fetched, those of its earlier batches included. */
	fetched: number;
	/** Credits charged in the whole execution, for results that came back. */
	charged: number;
	/** Answers lost, and the most that they can have cost. */
	lostAnswers: number;
	possiblyCharged: number;
}

const CREDIT = { one: 'credit', many: 'credits' };
const ANSWER = { one: 'answer was', many: 'answers were' };

/** Sentences for the description of a failure; none for a preview, which costs nothing. */
export function tellMoney(standing: Standing): string {
	if (standing.endpoint === 'preview') return '';
	return [tellCharged(standing), tellResume(standing, standing.charged), tellLost(standing)]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

function tellCharged(standing: Standing): string {
	const { endpoint, continues, fetched, charged, possiblyCharged, items } = standing;
	if (charged === 0) return possiblyCharged > 0 ? '' : 'Nothing was charged.';
	const what = count(fetched, NOUN[endpoint]);
	const list = items.length === 0 ? '' : ` for ${tellItems(items)}`;
	const inAll =
		charged === fetched
			? []
			: [`In this execution ${count(charged, CREDIT)} were spent in all.`];
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

/**
 * How to get the rest without paying for anything twice. Skip and Limit count for every input item,
 * so those who have had theirs, or need other values, must stay out of that run. Where nothing was
 * charged there is nothing to pay twice.
 */
function tellResume(gap: Gap, charged: number): string {
	if (charged === 0) return '';
	const { endpoint, resumeSkip, isUntouched, remaining, missing, items, notRun } = gap;
	const isOver = remaining < 1 || (endpoint !== 'lookUp' && resumeSkip >= MAX_RESULTS);
	const only = items.length === 0 ? '' : `run again with only ${tellItems(items)}, and `;
	const others =
		notRun.length === 0
			? ''
			: ` Then run again with only ${tellItems(notRun)}, 'Skip' and 'Limit' as they are now.`;
	if (missing.length > 0) {
		const returnAll = Number.isFinite(remaining) ? '' : "turn 'Return All' on, and ";
		const onward = isOver ? '' : ` After that, ${only}${returnAll}${skipTo(gap)}.`;
		return `${tellMissing(gap)}${onward}${others}`;
	}
	if (isOver || isUntouched) {
		const again = isOver ? notRun : [...items, ...notRun];
		return again.length === 0
			? ''
			: `To go on without paying twice, run again with only ${tellItems(again)}.`;
	}
	const same = endpoint === 'lookUp' ? ', as long as the URLs are the same' : '';
	return `To go on without paying twice, ${only}${skipTo(gap)}. That fetches the ${NOUN[endpoint].many} from number ${(resumeSkip + 1).toLocaleString('en')} on${same}.${others}`;
}

function skipTo({ resumeSkip, remaining }: Gap): string {
	const limit = Number.isFinite(remaining) ? ` and 'Limit' to ${remaining}` : '';
	return `set 'Skip' (under Options) to ${resumeSkip}${limit}`;
}

/** Which rows did not come although later ones did, and how to get them; a hint by itself too. */
export function tellMissing({
	missing,
	endpoint,
	items,
	remaining,
}: Pick<Gap, 'missing' | 'endpoint' | 'items' | 'remaining'>): string {
	const ranges = missing.map(({ after, until }) => {
		const first = (after + 1).toLocaleString('en');
		return `${first} to ${until.toLocaleString('en')} ('Skip' ${after}, 'Limit' ${until - after})`;
	});
	const only = items.length === 0 ? '' : ` with only ${tellItems(items)} and`;
	return `Missing in between: the ${NOUN[endpoint].many} from number ${ranges.join(', and ')}. To get them without paying for others twice, run again${only} with these values of 'Skip' (under Options) and 'Limit'${Number.isFinite(remaining) ? '' : ", and with 'Return All' off"}.`;
}

const MOST_RANGES = 200;

/** 'input item 3', 'input items 0 to 4 and 7'. */
function tellItems(items: number[]): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const item of [...items].sort((one, other) => one - other)) {
		const last = ranges.at(-1);
		if (last && item <= last.to + 1) last.to = item;
		else ranges.push({ from: item, to: item });
	}
	const told = ranges
		.slice(0, MOST_RANGES)
		.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	const more = ranges.slice(MOST_RANGES).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	if (more > 0) told.push(`${more} more`);
	const noun = items.length === 1 ? 'input item' : 'input items';
	const start = told.slice(0, -1).join(', ');
	return `${noun} ${start}${start === '' ? '' : ' and '}${told.at(-1) ?? ''}`;
}

function tellLost({ lostAnswers, possiblyCharged }: Standing): string {
	if (lostAnswers === 0) return '';
	return `${count(lostAnswers, ANSWER)} lost on the way, for which up to ${count(possiblyCharged, CREDIT)} may have been charged.`;
}

/**
 * Hint: the Credit Budget ended the run.
 *
 * @param gap the list that it ended
 */
export function hintBudget(
	budget: number,
	charged: number,
	possiblyCharged: number,
	gap: Gap,
): string {
	const lost =
		possiblyCharged === 0
			? ''
			: ` and up to ${count(possiblyCharged, CREDIT)} for answers that were lost`;
	const resume = tellResume(gap, charged);
	return `The Credit Budget of ${count(budget, CREDIT)} ended this run: ${count(charged, CREDIT)} spent${lost}. There may be more results. ${resume === '' ? 'Raise the Credit Budget to get them.' : resume}`;
}

/** Hint: answers were lost, though the run went on. */
export function hintLostAnswers(lostAnswers: number, possiblyCharged: number): string {
	return `${count(lostAnswers, ANSWER)} lost on the way. Up to ${count(possiblyCharged, CREDIT)} may have been charged for ${lostAnswers === 1 ? 'it' : 'them'}.`;
}

/** Hint: several input items asked for the same. */
export function hintSame(items: number, endpoint: Endpoint): string {
	const cost = endpoint === 'preview' ? '' : ' and paid';
	return `${items} input items ask for the same ${NOUN[endpoint].many}. They were fetched${cost} once and returned for each item. To get them once, turn on Execute Once in the node's settings.`;
}

/** Hint: no search reaches further. */
export function hintCeiling(): string {
	return 'The search reached 100,000 results, which is as far as the lead service goes. Narrower filters get the rest.';
}

/** Hint: the service moved its pages, and some rows came twice. */
export function hintRepeated(repeated: number, endpoint: Endpoint): string {
	const cost =
		endpoint === 'preview'
			? ''
			: ` and cost ${count(repeated, CREDIT)}, which count towards Limit`;
	return `The lead service answered with smaller pages than asked for. ${count(repeated, NOUN[endpoint])} came twice${cost}; they are returned once. Set Page Size to what the service takes to avoid this.`;
}
