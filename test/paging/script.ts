/** Creates lists from responses that are written as text, and describes their facts. */
import type { Page } from '../../nodes/LeadSearch/api/contract';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { PageRequest } from '../../nodes/LeadSearch/paging/job';
import { idOf } from './world';

/** Parses a request: '2/25' is page 2 of 25 rows, and '26/1?' an end check. */
export function parseRequest(text: string): PageRequest<number> {
	const [, page = '', size = '', purposeMark = ''] = /^(\d+)\/(\d+)(\??)$/.exec(text) ?? [];
	const firstKey = (Number(page) - 1) * Number(size);
	return {
		purpose: purposeMark === '?' ? 'endCheck' : 'rows',
		page: Number(page),
		size: Number(size),
		firstKey,
	};
}

/** Creates leads by number, such as '0-24 30-30'. */
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

/** The fields of a page other than its leads. */
const FIELDS: Record<string, (value: number) => Partial<Page>> = {
	as: (page) => ({ page }),
	per: (perPage) => ({ perPage }),
	next: (nextPage) => ({ nextPage }),
	more: () => ({ hasMore: true }),
	last: () => ({ hasMore: false }),
	'!': () => ({ violation: 'a violation' }),
};

/**
 * Parses '2/25 25-39 as 1 per 20 last': a request, the leads returned, and other fields of the page: `page`, `per_page`,
 * `next_page`, `has_more` ('more' or 'last'), or '!' for a violation.
 *
 * @returns the arguments of `settle`
 */
export function parseExchange(text: string): [PageRequest<number>, Page] {
	const [requestText = '', ...words] = text.split(' ');
	const firstField = words.findIndex((word) => word in FIELDS);
	const rows = leads(words.slice(0, firstField < 0 ? undefined : firstField).join(' '));
	const fields = words.map((word, at) => FIELDS[word]?.(Number(words[at + 1])));
	return [parseRequest(requestText), Object.assign({ rows }, ...fields) as Page];
}

/** @returns the list after these responses, and the failure that each response caused, if any */
export function listAfter(responses: string[], isPaid = true) {
	const list = new LeadList(isPaid);
	const failures = responses.map((text) => {
		const [request, response] = parseExchange(text);
		list.take(request);
		return list.settle(request, response);
	});
	return { list, failures };
}

/** Describes the facts of a list; `others` are indexes that have a lead with another number. */
export function describeFacts(list: LeadList): string {
	const { cells, unmatchedRows, pageSize, end, hints } = list;
	const { wasted } = list.cost;
	const others = [...cells].filter(([index, row]) => idOf(row) !== index);
	const facts = [
		rangesOf([...cells.keys()]) || 'none',
		others.length > 0 && `others ${rangesOf(others.map(([index]) => index))}`,
		unmatchedRows.length > 0 && `unmatched ${rangesOf(unmatchedRows.map(idOf))}`,
		pageSize !== undefined && `pages of ${pageSize}`,
		end && `${end.isConfirmed ? 'ends' : end.isLikely ? 'may end' : 'stops'} ${end.at}`,
		wasted > 0 && `wasted ${wasted}`,
		...hints.keys(),
	];
	return facts.filter(Boolean).join(', ');
}

/** Joins consecutive numbers as 'from-to', the last one included. */
function rangesOf(numbers: number[]): string {
	const parts: Array<[number, number]> = [];
	for (const number of numbers.sort((one, other) => one - other)) {
		const last = parts.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ');
}
