/** Lists after answers that are written as text, and what is known of them. */
import type { Page } from '../../nodes/LeadSearch/api/contract';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { idOf } from './world';

export interface Start {
	receivedSize?: number;
	sizeLimit?: number;
	isPaid?: boolean;
}

/** '2/25': page 2 of 25 rows; '26/1?' asks whether there is that row. */
export function orderOf(text: string): PageRequest<number> {
	const [, page = '', size = '', mark = ''] = /^(\d+)\/(\d+)(\??)$/.exec(text) ?? [];
	const first = (Number(page) - 1) * Number(size);
	return {
		purpose: mark === '?' ? 'endCheck' : 'rows',
		page: Number(page),
		size: Number(size),
		firstKey: first,
	};
}

/** Leads by their numbers: '0-24 30-30', or none. */
export function leads(text: string) {
	const parts = text.split(' ').filter((part) => part !== '');
	const ids = parts.flatMap((part) => {
		const [from = 0, to = from] = part.split('-').map(Number);
		return Array.from({ length: to - from + 1 }, (_, index) => from + index);
	});
	return ids.map((id) => ({
		full_name: `Lead ${id}`,
		linkedin_url: `https://www.linkedin.com/in/lead-${id}`,
	}));
}

/** What a page says beside its leads. */
const SAYINGS: Record<string, (value: number) => Partial<Page>> = {
	as: (page) => ({ page }),
	per: (perPage) => ({ perPage }),
	next: (nextPage) => ({ nextPage }),
	more: () => ({ hasMore: true }),
	last: () => ({ hasMore: false }),
	'!': () => ({ violation: 'a violation' }),
};

/**
 * '2/25 25-39 as 1 per 20 last': a request, the leads that come, and what the page says: `page`, `per_page`,
 * `next_page`, `has_more` ('more' or 'last'), or '!' for a violation.
 */
function answerIn(text: string): { order: PageRequest<number>; answer: Page } {
	const [asked = '', ...words] = text.split(' ');
	const firstSaid = words.findIndex((word) => word in SAYINGS);
	const rows = leads(words.slice(0, firstSaid < 0 ? undefined : firstSaid).join(' '));
	const said = words.map((word, at) => SAYINGS[word]?.(Number(words[at + 1])));
	return { order: orderOf(asked), answer: Object.assign({ rows }, ...said) as Page };
}

/** What a list is given of an answer. */
export function settled(text: string): [PageRequest<number>, Page] {
	const { order: request, answer: response } = answerIn(text);
	return [request, response];
}

/** @returns the list after these answers, and what each of them meant for the run */
export function listAfter(answers: string[], { isPaid = true, ...sizes }: Start = {}) {
	const list = Object.assign(new LeadList(isPaid), sizes);
	const failures = answers.map((text) => {
		const { order: request, answer: response } = answerIn(text);
		list.reserve(request);
		return list.settle(request, response);
	});
	return { list, failures };
}

/** What is known of a list; `others` are places that hold another lead than a list that stays the same has. */
export function known(list: LeadList): string {
	const { cells, unmatchedRows, receivedSize, sizeLimit, end, hints } = list;
	const { wasted } = list.cost;
	const others = [...cells].filter(([place, row]) => idOf(row) !== place);
	const facts = [
		rangesOf([...cells.keys()]) || 'none',
		others.length > 0 && `others ${rangesOf(others.map(([place]) => place))}`,
		unmatchedRows.length > 0 && `strays ${rangesOf(unmatchedRows.map(idOf))}`,
		`proven ${receivedSize}`,
		sizeLimit < Infinity && `most ${sizeLimit}`,
		end && `${end.isConfirmed ? 'ends' : end.isStated ? 'may end' : 'stops'} ${end.at}`,
		wasted > 0 && `repeated ${wasted}`,
		...hints.keys(),
	];
	return facts.filter(Boolean).join(', ');
}

/** Numbers in a row as 'from-to', the last one included. */
function rangesOf(numbers: number[]): string {
	const parts: Array<[number, number]> = [];
	for (const number of numbers.sort((one, other) => one - other)) {
		const last = parts.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ');
}
