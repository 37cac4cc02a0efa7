/** The rows of a lookup that have come, by the URL they were requested with. */
import type { Json } from './contract';

/** What is known of a URL of which nothing more is to be had. */
interface SettledUrl {
	/** Empty where the service has nothing for it, or where that is uncertain. */
	rows: Json[];
	/** Whether a row with another URL may be about it. */
	isUncertain?: boolean;
	/** When it was settled, where that was in an earlier run; milliseconds since 1970. */
	boughtAt?: number;
}

/** A row whose URL matches none that was requested. */
interface UnmatchedRow {
	row: Json;
	/** The URLs that it may be about. */
	urls: ReadonlySet<string>;
	/** When it was paid for, where that was in an earlier run; milliseconds since 1970. */
	boughtAt?: number;
}

/** What is kept of a lookup between runs. */
export interface ProfileSnapshot {
	settled: Array<SettledUrl & { url: string; boughtAt: number }>;
	unmatched: Array<{ row: Json; urls: string[]; boughtAt: number }>;
}

/**
 * What is known of a URL. An uncertain one may be what a row with another URL is about; it is not
 * requested again, since that could pay for the same profile twice.
 */
export type UrlState = 'open' | 'found' | 'notFound' | 'uncertain';

/** What has come of the URLs that are looked up with the same request body. */
export class ProfileRows {
	/** Rows whose URL matches none that was requested, each once. */
	readonly unmatched: UnmatchedRow[] = [];

	private readonly settled = new Map<string, SettledUrl>();

	/** The unmatched rows as JSON, to tell those that have come before. */
	private readonly unmatchedTexts = new Set<string>();

	/**
	 * @param kept what was kept of earlier runs, the latest first
	 * @param since what was paid for before this time is left out; milliseconds since 1970
	 */
	constructor(kept: readonly ProfileSnapshot[] = [], since = -Infinity) {
		for (const { settled, unmatched } of kept) {
			for (const { url, ...known } of settled) {
				const isTaken = known.boughtAt >= since && !this.settled.has(url);
				if (isTaken) this.settled.set(url, known);
			}
			for (const { row, urls, boughtAt } of unmatched) {
				if (boughtAt >= since) this.addUnmatched(row, new Set(urls), boughtAt);
			}
		}
		// A run that stopped between the pages of a request has left its URLs open.
		for (const { urls, boughtAt } of this.unmatched) this.settle(urls, 'uncertain', boughtAt);
	}

	/** @param now when what came in this run was paid for */
	snapshot(now: number): ProfileSnapshot {
		return {
			settled: [...this.settled].map(([url, known]) => ({ boughtAt: now, ...known, url })),
			unmatched: this.unmatched.map(({ row, urls, boughtAt = now }) => ({
				row,
				urls: [...urls],
				boughtAt,
			})),
		};
	}

	/** Number of rows that have come. */
	get size(): number {
		let rows = this.unmatched.length;
		for (const { rows: found } of this.settled.values()) rows += found.length;
		return rows;
	}

	stateOf(url: string): UrlState {
		const known = this.settled.get(url);
		if (!known) return 'open';
		if (known.rows.length > 0) return 'found';
		return known.isUncertain ? 'uncertain' : 'notFound';
	}

	rowsOf(url: string): readonly Json[] {
		return this.settled.get(url)?.rows ?? [];
	}

	/** When a URL was settled, where that was in an earlier run; milliseconds since 1970. */
	boughtAt(url: string): number | undefined {
		return this.settled.get(url)?.boughtAt;
	}

	add(url: string, row: Json): void {
		// What came of it in an earlier run counts as paid for now, too, so that it is kept as long.
		this.settled.set(url, { rows: [...this.rowsOf(url), row] });
	}

	/**
	 * @param urls those that the row may be about
	 * @returns whether it is none that came before
	 */
	addUnmatched(row: Json, urls: ReadonlySet<string>, boughtAt?: number): boolean {
		const text = JSON.stringify(row);
		if (this.unmatchedTexts.has(text)) return false;
		this.unmatchedTexts.add(text);
		this.unmatched.push({ row, urls, ...(boughtAt !== undefined && { boughtAt }) });
		return true;
	}

	/** Settles URLs without a row, unless they are settled already. */
	settle(urls: Iterable<string>, state: 'notFound' | 'uncertain', boughtAt?: number): void {
		const isUncertain = state === 'uncertain';
		for (const url of urls) {
			if (this.settled.has(url)) continue;
			this.settled.set(url, {
				rows: [],
				...(isUncertain && { isUncertain }),
				...(boughtAt !== undefined && { boughtAt }),
			});
		}
	}
}
