/** A list of profiles by URL. A lookup has no pages: each request is page 1 of its own URLs. */
import type { Json, Page } from '../api/contract';
import type { Failure } from '../api/failures';
import type { PageRequest } from './job';
import { PagedList, type Violation } from './pagedList';
import { nameSimilarityTo } from './nameSimilarity';
import { CHECK_BALANCE, findViolation } from './pages';

/**
 * The default page size of a lookup (contract, "Limits"). The service looks up each URL of a request that has at most
 * this many.
 */
export const DOCUMENTED_SIZE = 100;

export interface ProfileUrls {
	/** Returns the normalised profile URL in a row. */
	of(row: Json): string | undefined;
	/**
	 * Returns whether a normalised URL contains an opaque ID (such as ACoAA…) instead of a public name. The service
	 * usually returns the profile under its public URL.
	 */
	isOpaque(url: string): boolean;
}

/**
 * A renamed profile comes back under its new URL, so the URL in a row may differ from the requested one. If a request
 * has a single URL, the row belongs to it. Otherwise the row belongs to the URL in the row, if that was requested. If
 * it wasn't, the row is unmatched, because nothing else shows which URL it belongs to.
 *
 * A URL waits in one of three queues until its rows are known, or until it is known to have none:
 *
 * - `rows`: URLs that are requested together.
 * - `alone`: URLs that are requested one at a time: opaque IDs, and if a response has an unmatched row, its URLs
 *   without a row.
 * - `again`: URLs that got no row, while no row is unmatched. The profile may not exist, or the balance was too low,
 *   or the response was truncated. These URLs are requested again, in requests so small that the service looks up
 *   each URL. If such a request returns no rows, none of its profiles exists.
 *
 * @example
 * // The row has Anna's new URL, which wasn't requested. It could be Anna's or Bob's, so each is now requested alone.
 * list.settle(requestFor([anna, bob]), { rows: [rowOf(annaBell)] });
 * // Anna was requested alone, so the row is hers. Bob has no row, and no row is unmatched, so he is requested again.
 * list.settle(requestFor([anna]), { rows: [rowOf(annaBell)] });
 */
export class ProfileList extends PagedList<string> {
	/** The rows of each URL for which they are known: usually one row, and no row if the profile doesn't exist. */
	readonly cells = new Map<string, readonly Json[]>();
	/** A URL is in no queue while its request is in flight. */
	readonly queues = {
		rows: new Set<string>(),
		alone: new Set<string>(),
		again: new Set<string>(),
	};
	/** The unmatched rows. The key is the URL in the row, or the JSON of the row if it has no URL. */
	private readonly unmatchedByProfile = new Map<string, Json[]>();
	/** The URLs that were requested alone and got a row that doesn't name them, by the JSON of the row. */
	private readonly urlsByOtherRow = new Map<string, Set<string>>();
	private matchedRowCount = 0;

	constructor(readonly urls: ProfileUrls) {
		super('lookUp');
	}

	get rowCount(): number {
		return this.matchedRowCount + this.unmatchedRows.length;
	}

	/** A row is left out if the URL that it names already has an identical one. */
	get unmatchedRows(): Json[] {
		return [...this.unmatchedByProfile].flatMap(([profile, rows]) =>
			rows.filter((row) => !includesRow(this.rowsOf(profile), row)),
		);
	}

	/** The array is empty if the profile doesn't exist, or if its rows aren't known yet. */
	rowsOf(url: string): readonly Json[] {
		return this.cells.get(url) ?? [];
	}

	/** Puts URLs into queues. A URL is ignored if its rows are known, or if it waits already. */
	addUrls(urls: readonly string[]): void {
		const sets = [this.cells, this.queues.alone, this.queues.again];
		for (const url of urls)
			if (!sets.some((set) => set.has(url)))
				this.queues[this.urls.isOpaque(url) ? 'alone' : 'rows'].add(url);
	}

	override take(request: PageRequest<string>): void {
		super.take(request);
		for (const url of request.urls ?? [])
			for (const queue of Object.values(this.queues)) queue.delete(url);
	}

	override putBack(request: PageRequest<string>): void {
		super.putBack(request);
		const { purpose, urls = [] } = request;
		if (purpose === 'endCheck') return;
		// The URLs go to the front, so that the retry has the same first key, by which failed attempts are counted.
		const queue = this.queues[purpose];
		replaceAll(queue, [...urls, ...queue]);
	}

	settle(request: PageRequest<string>, page: Page): Failure | undefined {
		const { rows, hasMore } = page;
		const { size, urls = new Set() } = request;
		const countBefore = this.rowCount;
		this.recordResponse(request, page);
		const unmatched = rows.filter((row) => !this.matchRow(row, urls));
		for (const row of unmatched) this.addUnmatched(row);
		const alone = urls.size === 1 ? rows : [];
		const [cached] = alone.flatMap((row) => this.unmatchCachedRow(row) ?? []);
		this.cost.wasted += rows.length - (this.rowCount - countBefore);

		const openUrls = [...urls].filter((url) => !this.cells.has(url));
		const isEmptyPage = rows.length === 0 && size <= DOCUMENTED_SIZE;
		if (unmatched.length > 0) this.queueAlone(openUrls);
		else if (isEmptyPage && hasMore !== true) for (const url of openUrls) this.cells.set(url, []);
		else for (const url of openUrls) this.queues.again.add(url);
		if (this.unmatchedByProfile.size === 0) this.stopRequestingAlone();

		const violation = findViolation(request, page) ?? cached;
		if (violation) return this.stopWith(violation);
		// The service looks at all of so few URLs, so no rows can follow.
		return isEmptyPage && hasMore === true
			? this.stopWith({
					text: 'it said that more profiles follow, but sent none',
					advice: CHECK_BALANCE,
				})
			: undefined;
	}

	override fail(request: PageRequest<string>, failure: Failure): Failure | undefined {
		super.fail(request, failure);
		const { size } = request;
		if (size === 1 || failure.kind !== 'noCredits') return failure;
		// A balance that is too low for all profiles may be enough for fewer (contract, "Errors": a 402 is free).
		this.pageSize = Math.min(this.pageSize ?? Infinity, Math.floor(size / 2));
		return undefined;
	}

	restore(url: string, rows: readonly Json[]): void {
		for (const queue of Object.values(this.queues)) queue.delete(url);
		this.cells.set(url, rows);
		for (const row of rows) this.reusedRows.add(row);
		this.matchedRowCount += rows.length;
	}

	/**
	 * Adds a row to the URL that it belongs to. If the only URL of a request gets a row with another URL, the profile has
	 * been renamed. Rows of this profile that were unmatched until now then belong to the requested URL, too.
	 *
	 * @param urls the URLs of the request that returned the row
	 * @returns whether the row was assigned
	 */
	private matchRow(row: Json, urls: ReadonlySet<string>): boolean {
		const namedUrl = this.urls.of(row);
		const [singleUrl] = urls;
		const isAlone = urls.size === 1;
		const url = isAlone ? singleUrl : namedUrl;
		if (url === undefined || !urls.has(url)) return false;
		this.addRow(url, row);
		// Unmatched rows that name the same URL belong to another person. That person's profile was renamed to this URL.
		if (namedUrl === url) return true;
		const text = JSON.stringify(row);
		this.urlsByOtherRow.set(text, (this.urlsByOtherRow.get(text) ?? new Set()).add(url));
		const profile = this.profileKeyOf(row);
		for (const other of this.unmatchedByProfile.get(profile) ?? []) this.addRow(url, other);
		this.unmatchedByProfile.delete(profile);
		return true;
	}

	/**
	 * If a row was sent for three URLs, it is taken from all of them: it belongs to one of them at most. Two URLs can be
	 * of one person.
	 */
	private unmatchCachedRow(row: Json): Violation | undefined {
		const text = JSON.stringify(row);
		const urls = this.urlsByOtherRow.get(text) ?? new Set();
		if (urls.size < 3) return undefined;
		for (const url of urls) {
			const before = this.rowsOf(url);
			const rows = before.filter((other) => JSON.stringify(other) !== text);
			this.matchedRowCount -= before.length - rows.length;
			if (rows.length > 0) this.cells.set(url, rows);
			else this.cells.delete(url);
			this.receivedKeys = this.receivedKeys.filter((key) => key !== url);
		}
		this.addUnmatched(row);
		return {
			text: `it sent the same profile for ${urls.size} different URLs that were requested one by one`,
			advice:
				'Ask who runs your network whether a gateway or cache answers requests to the lead service in its place.',
		};
	}

	private addRow(url: string, row: Json): void {
		const rows = this.rowsOf(url);
		if (includesRow(rows, row)) return;
		this.cells.set(url, [...rows, row]);
		if (rows.length === 0) this.receivedKeys.push(url);
		this.matchedRowCount += 1;
	}

	private addUnmatched(row: Json): void {
		const profile = this.profileKeyOf(row);
		const unmatched = (this.unmatchedByProfile.get(profile) ?? []).filter(
			(other) => !includesRow([row], other),
		);
		this.unmatchedByProfile.set(profile, [...unmatched, row]);
	}

	/** URLs that are most similar to the names in the unmatched rows go first. */
	private queueAlone(openUrls: readonly string[]): void {
		const { alone } = this.queues;
		const similarity = nameSimilarityTo([...this.unmatchedByProfile.values()].flat());
		const scored = [...alone, ...openUrls].map((url) => [similarity(url), url] as const);
		const sorted = scored.sort(([a], [b]) => b - a).map(([, url]) => url);
		replaceAll(alone, sorted);
	}

	/**
	 * Moves URLs to `again`, once no row is unmatched. Opaque IDs stay, because the service returns them under other
	 * URLs.
	 */
	private stopRequestingAlone(): void {
		const { alone, again } = this.queues;
		for (const url of alone)
			if (!this.urls.isOpaque(url)) {
				alone.delete(url);
				again.add(url);
			}
	}

	private profileKeyOf(row: Json): string {
		return this.urls.of(row) ?? JSON.stringify(row);
	}
}

function includesRow(rows: readonly Json[], row: Json): boolean {
	return rows.some((entry) => JSON.stringify(entry) === JSON.stringify(row));
}

function replaceAll(queue: Set<string>, urls: readonly string[]): void {
	queue.clear();
	for (const url of urls) queue.add(url);
}
