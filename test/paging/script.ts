/** Lists after answers that are written as text, and what is known of them. */
import type { Page } from '../../nodes/LeadSearch/api/contract';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import type { Order } from '../../nodes/LeadSearch/paging/ledger';
import type { PageSizes } from '../../nodes/LeadSearch/paging/pages';
import { idOf } from './world';

export interface Start {
	sizes?: Pick<PageSizes, 'served' | 'most'>;
	isPaid?: boolean;
}

/** Any size may be tried, and 25 rows certainly are served. */
export const ANY = { sizes: { served: 25, most: 100_000 } };

/** '2/25': page 2 of 25 rows; '26/1?' asks whether there is that row, '9/25#' for the page size. */
export function orderOf(text: string): Order<number> {
	const [, page = '', size = '', mark = ''] = /^(\d+)\/(\d+)([?#]?)$/.exec(text) ?? [];
	const purposes = { '?': 'end', '#': 'size', '': 'rows' } as const;
	const purpose = purposes[mark as keyof typeof purposes];
	return {
		purpose,
		page: Number(page),
		size: Number(size),
		first: (Number(page) - 1) * Number(size),
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

/** A request, the leads that come, and what else the page says. */
export type Answered = [order: string, leads: string, says?: Omit<Page, 'rows'>];

/** @returns the list after these answers, and what each of them meant for the run */
export function listAfter(
	answers: Answered[],
	{ sizes = { served: 0 }, isPaid = true }: Start = {},
) {
	const list = new LeadList(isPaid);
	Object.assign(list.sizes, sizes);
	const failures = answers.map(([asked, came, says]) => {
		const order = orderOf(asked);
		list.reserve(order);
		return list.settle(order, { rows: leads(came), ...says });
	});
	return { list, failures };
}

/** What is known of a list; `others` are places that hold another lead than a list that stays the same has. */
export function known(list: LeadList) {
	const { cells, unsure, strays, sizes, end, repeated, hasMoved } = list;
	const others = [...cells.keys()].filter((place) => idOf(list.rowAt(place) ?? {}) !== place);
	const loose = strays.map(({ row }) => idOf(row));
	return {
		rows: rangesOf([...cells.keys()].sort((one, other) => one - other)),
		...(others.length > 0 && { others: rangesOf(others) }),
		...(unsure && { unsure: rangesOf(unsure.rows.map((_, index) => unsure.from + index)) }),
		...(loose.length > 0 && { strays: rangesOf(loose) }),
		...sizes,
		...(end.questionAt < Infinity && { asks: end.questionAt }),
		...(end.takesOneRow && { takesOneRow: true }),
		...(end.proven < Infinity && { end: end.proven }),
		...(end.isCharged && { isCharged: true }),
		...(repeated > 0 && { repeated }),
		...(hasMoved && { hasMoved }),
	};
}

/** Numbers in a row as 'from-to', the last one included. */
function rangesOf(numbers: number[]): string {
	const parts: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = parts.at(-1);
		if (last?.[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => `${from}-${to}`).join(' ');
}
