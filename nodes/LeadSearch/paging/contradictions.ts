/** Answers that no supported service gives. They end the list; what they charged for is kept. */
import type { Json, Page } from '../api/contract';
import type { Failure } from '../api/failures';
import { profileOf, type Order } from './ledger';

/** @param text what the answer contradicts, for people */
export function contradiction(text: string): Failure {
	return { kind: 'protocolViolation', text };
}

/** @returns what an answer with rows contradicts that was asked for or that it says itself, for people */
export function contradictionIn({ page, size, urls }: Order, answer: Page): string | undefined {
	const { rows, perPage = size, nextPage, hasMore } = answer;
	const unit = urls ? 'URLs' : 'rows';
	if (answer.violation !== undefined) return answer.violation;
	if (!urls && rows.length > size)
		return `it sent ${rows.length} rows where ${size} were asked for`;
	// A profile may come twice, and the number of rows be named for the page size.
	if (perPage > size && !(urls && perPage === rows.length))
		return `it sent a page of ${perPage} ${unit} where ${size} were asked for`;
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

/** Known profiles at the start of a page from which on it repeats what had come before. */
const KNOWN_PROFILES = 3;
/** Known rows in one page after another, of however few profiles, that are no chance. */
const KNOWN_ROWS = 25;

/** Whether pages repeat leads that had come before, as happens when a list changes or starts again. */
export class Repetition {
	/** The profiles that have a place for certain. */
	private readonly profiles = new Set<string>();
	/** Rows since the last new one. */
	private knownRows = 0;

	/** Notes a row that has got its place. */
	add(row: Json): void {
		const profile = profileOf(row);
		if (profile !== undefined) this.profiles.add(profile);
	}

	/**
	 * @param isExpected whether a row is one that is known to be there
	 * @returns 'all' where a page holds nothing else than had come before, 'start' where it begins so
	 */
	find(
		rows: Json[],
		isExpected: (row: Json, index: number) => boolean,
	): 'all' | 'start' | undefined {
		const end = rows.findIndex(
			(row, index) => !this.profiles.has(profileOf(row) ?? '') || isExpected(row, index),
		);
		const repeated = end < 0 ? rows : rows.slice(0, end);
		const isRepeating = new Set(repeated.map(profileOf)).size >= KNOWN_PROFILES;
		this.knownRows = end < 0 ? this.knownRows + rows.length : 0;
		if (end < 0) return isRepeating || this.knownRows >= KNOWN_ROWS ? 'all' : undefined;
		return isRepeating ? 'start' : undefined;
	}
}
