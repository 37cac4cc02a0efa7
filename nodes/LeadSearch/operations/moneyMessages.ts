/** What people read about money: what was charged, where it went, how to go on without paying twice. */
import { MAX_RESULTS, type Endpoint } from '../service/contract';
import type { RowRange } from '../service/pull';
import { count, NOUN } from './failureMessages';

/** The state of a list, and of the whole execution, when a run stopped part-way. */
export interface Standing {
	endpoint: Endpoint;
	/** Whether the node hands on what it has (On Error is one of the Continue modes). */
	continues: boolean;
	/** Results of this list that were fetched. */
	fetched: number;
	/** What to set in Skip to go on; rows from the start of the list. */
	resumeSkip: number;
	/** Rows that are missing before it, from the start of the list. */
	missing: RowRange[];
	/** What is left of Limit beyond both; Infinity where all are returned. */
	remaining: number;
	/** Credits charged in the whole execution, for results that came back. */
	charged: number;
	/** Answers lost, and the most that they can have cost. */
	lostAnswers: number;
	possiblyCharged: number;
	/** The input item that the list belongs to, if the execution has several lists. */
	item?: number;
}

const CREDIT = { one: 'credit', many: 'credits' };
const ANSWER = { one: 'answer was', many: 'answers were' };

/** Sentences for the description of a failure; none for a preview, which costs nothing. */
export function tellMoney(standing: Standing): string {
	if (standing.endpoint === 'preview') return '';
	return [tellCharged(standing), tellResume(standing), tellLost(standing)]
		.filter((sentence) => sentence !== '')
		.join(' ');
}

function tellCharged(standing: Standing): string {
	const { endpoint, continues, fetched, charged, possiblyCharged, item } = standing;
	if (charged === 0) return possiblyCharged > 0 ? '' : 'Nothing was charged.';
	const what = count(fetched, NOUN[endpoint]);
	const inAll =
		charged === fetched
			? ''
			: ` In this execution ${count(charged, CREDIT)} were spent in all.`;
	if (fetched === 0) return inAll.trim();
	const list = item === undefined ? '' : ` for input item ${item}`;
	return continues
		? `${what} fetched${list} before and charged are in the output.${inAll}`
		: `${what} fetched${list} before and charged, but not handed on, because On Error is set to Stop Workflow.${inAll} To keep what is fetched before a run stops, set On Error to one of the Continue modes.`;
}

function tellResume(standing: Standing): string {
	const { endpoint, charged, resumeSkip, remaining, missing, item } = standing;
	if (charged === 0) return '';
	const isOver = remaining < 1 || (endpoint !== 'lookUp' && resumeSkip >= MAX_RESULTS);
	if (missing.length > 0) {
		const onward = isOver ? '' : ` After that, ${skipTo(standing)}.`;
		return `${tellMissing(missing, endpoint)}${onward}`;
	}
	if (isOver) return '';
	const from = item === undefined ? '' : `run from input item ${item} on`;
	if (resumeSkip === 0) return from === '' ? '' : `To go on without paying twice, ${from}.`;
	const run = from === '' ? '' : `, ${from}`;
	const same = endpoint === 'lookUp' ? ', as long as the URLs are the same' : '';
	return `To go on without paying twice, ${skipTo(standing)}${run}. That fetches the ${NOUN[endpoint].many} from number ${(resumeSkip + 1).toLocaleString('en')} on${same}.`;
}

function skipTo({ resumeSkip, remaining }: Standing): string {
	const limit = Number.isFinite(remaining) ? ` and 'Limit' to ${remaining}` : '';
	return `set 'Skip' (under Options) to ${resumeSkip}${limit}`;
}

/** Which rows did not come although later ones did, and how to get them; a hint by itself too. */
export function tellMissing(missing: readonly RowRange[], endpoint: Endpoint): string {
	const ranges = missing.map(({ after, until }) => {
		const first = (after + 1).toLocaleString('en');
		return `${first} to ${until.toLocaleString('en')} ('Skip' ${after}, 'Limit' ${until - after})`;
	});
	return `Missing in between: the ${NOUN[endpoint].many} from number ${ranges.join(', and ')}. To get them without paying for others twice, run again with these values of 'Skip' (under Options) and 'Limit'.`;
}

function tellLost({ lostAnswers, possiblyCharged }: Standing): string {
	if (lostAnswers === 0) return '';
	return `${count(lostAnswers, ANSWER)} lost on the way, for which up to ${count(possiblyCharged, CREDIT)} may have been charged.`;
}

/** Hint: the Credit Budget ended the run. */
export function hintBudget(budget: number, charged: number, possiblyCharged: number): string {
	const lost =
		possiblyCharged === 0
			? ''
			: ` and up to ${count(possiblyCharged, CREDIT)} for answers that were lost`;
	return `The Credit Budget of ${count(budget, CREDIT)} ended this run: ${count(charged, CREDIT)} spent${lost}. There may be more results. Raise the Credit Budget to get them.`;
}

/** Hint: answers were lost, though the run went on. */
export function hintLostAnswers(lostAnswers: number, possiblyCharged: number): string {
	return `${count(lostAnswers, ANSWER)} lost on the way and asked for again. Up to ${count(possiblyCharged, CREDIT)} may have been charged for them.`;
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
