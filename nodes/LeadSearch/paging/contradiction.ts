/** Answers that no supported service gives: they end the list. */
import type { Page } from '../api/contract';
import type { Failure } from '../api/failures';
import type { Order } from './ledger';

/** @param text what the answer contradicts, for people */
export function contradiction(text: string): Failure {
	return { kind: 'protocolViolation', text };
}

/**
 * @param unit what pages are counted in
 * @returns what an answer with rows contradicts that was asked for or that it says itself, for people
 */
export function contradictionIn(
	{ page, size }: Order,
	answer: Page,
	unit: 'rows' | 'URLs',
): string | undefined {
	const { rows, perPage = size, nextPage, hasMore } = answer;
	if (answer.violation !== undefined) return answer.violation;
	if (unit === 'rows' && rows.length > size)
		return `it sent ${rows.length} rows where ${size} were asked for`;
	if (perPage > size) return `it sent a page of ${perPage} ${unit} where ${size} were asked for`;
	if ((answer.page ?? page) !== page)
		return `it answered with page ${answer.page} where page ${page} was asked for`;
	if (typeof nextPage === 'number' && hasMore !== false && nextPage !== page + 1)
		return `it named page ${nextPage} as the one after page ${page}`;
	return undefined;
}

/** @param row the first that doesn't exist, as an answer said before or after others came */
export function leadsAfter(row: number): string {
	return `it sent no lead for row ${row + 1}, but leads after it`;
}
