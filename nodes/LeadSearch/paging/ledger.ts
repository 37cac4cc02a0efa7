/**
 * A list is a map from place to cell. A place is a row number (search, preview) or a profile's URL
 * (look up). What has no cell is unknown. An order is reserved before it is sent, settled by its
 * answer, and released by a failure; what is asked for next, what is missing and where a later run goes on
 * follow from this map, with what is known of page sizes and of its end. What it cost is counted beside it.
 */
import type { Json, Page } from '../api/contract';
import type { Failure } from '../api/failures';

/**
 * What is known of a place: its row; or of a profile that none came for, not even when it was asked for once more:
 * how many profiles under other URLs came in the answer, of which one may be it.
 */
export type Cell = Json | number;

/**
 * What a request is for: the rows of its places; 'again': those of profiles for which none came; 'end': whether
 * its first place holds a row, no row being an answer too.
 */
export type Purpose = 'rows' | 'again' | 'end';

/** A request for one page. */
export interface Order<Place = unknown> {
	readonly purpose: Purpose;
	/** 1-based (contract, `_page`). */
	readonly page: number;
	/** Rows (look up: URLs) a page (contract, `_per_page`): the credits that it is booked for. */
	readonly size: number;
	/** Its first place. */
	readonly first: Place;
	/** From the first row of a list on (contract, `max_results`). */
	readonly maxResults?: number;
	/** The URLs to look up. */
	readonly urls?: ReadonlySet<string>;
}

/**
 * Why nothing more is ordered: the service has said that the next row does not exist (look up: all URLs are
 * answered); as many rows as wanted are in; no search reaches beyond row 100,000; the service refused to go
 * past the last row that came; what may be spent is spent.
 */
export type End = 'whole' | 'limit' | 'maxResults' | 'refused' | 'budget';

/** What an answer contradicts, for people, and what they can do about it, if it is more than to contact the service. */
export interface Contradiction {
	text: string;
	advice?: string;
}

/** A row that was charged and has no place yet: the places that it may belong to; empty where any. */
export interface Stray<Place> {
	row: Json;
	places: readonly Place[];
}

/** What is kept of a list between runs. */
export interface SavedLedger<Place> {
	cells: Array<[Place, Cell]>;
	strays: Array<Stray<Place>>;
}

/** All that is known, ordered and charged of one list. One job works with it at a time. */
export abstract class Ledger<Place = unknown> {
	readonly cells = new Map<Place, Cell>();
	/** How many of them hold a row. */
	private placed = 0;
	/** Orders that are not answered yet. */
	readonly inFlight = new Set<Order<Place>>();
	/** By their JSON, so that one that comes again is known. */
	private readonly straysByText = new Map<string, Stray<Place>>();
	/** How often orders failed, and how many rows are asked for next, by their first place. */
	private readonly triesByPlace = new Map<Place, { tries: number; most: number }>();

	/** Rows that came: one credit each where the list is paid. */
	charged = 0;
	/** Rows that were there before any came. */
	restored = 0;
	/** Rows of answers that were lost or could not be used; they may have been charged. */
	atRisk = 0;
	/** Answers that were lost or could not be used. */
	lost = 0;
	/** Requests sent. */
	requests = 0;
	/** Whether an answer has come. */
	isAnswered = false;
	/** What an answer contradicted: in this execution, nothing more is asked of such a list, for whomever. */
	broken: Failure | undefined;

	/** Rows ordered and not answered yet. */
	get pending(): number {
		let rows = 0;
		for (const { size } of this.inFlight) rows += size;
		return rows;
	}

	/** Rows that were charged and have no place of their own. */
	get strays(): Array<Stray<Place>> {
		return [...this.straysByText.values()];
	}

	/** Rows that are there, those without a place among them. */
	get rows(): number {
		return this.placed + this.straysByText.size;
	}

	/** Rows that came and had come before. */
	get repeated(): number {
		return this.charged - (this.rows - this.restored);
	}

	rowAt(place: Place): Json | undefined {
		const cell = this.cells.get(place);
		return typeof cell === 'object' ? cell : undefined;
	}

	/** Gives a row its place; it needs no other. */
	put(place: Place, row: Json): void {
		if (!this.rowAt(place)) this.placed += 1;
		this.cells.set(place, row);
		if (this.straysByText.size > 0) this.straysByText.delete(JSON.stringify(row));
	}

	/** Takes in that a request is sent. */
	reserve(order: Order<Place>): void {
		this.inFlight.add(order);
		this.requests += 1;
	}

	/** Takes in that nothing is learnt of its places: they are unknown again. */
	release(order: Order<Place>): void {
		this.inFlight.delete(order);
	}

	/** Takes an answer in. @returns what it means for the run, where that is a failure; its rows are kept all the same */
	abstract settle(order: Order<Place>, page: Page): Failure | undefined;

	/**
	 * Takes in that a request failed.
	 *
	 * @returns what stands of it; undefined where it says something about pages, so that the list goes on
	 * another way
	 */
	abstract fail(order: Order<Place>, failure: Failure): Failure | undefined;

	/**
	 * Counts a failure of the order's first place.
	 *
	 * @param isSlow whether a smaller page may get through: then half as many rows are asked for there
	 * @returns how often it has failed
	 */
	countTry({ first, size }: Order<Place>, isSlow: boolean): number {
		const { tries = 0, most = Infinity } = this.triesByPlace.get(first) ?? {};
		const next = isSlow ? Math.max(1, Math.floor(size / 2)) : most;
		this.triesByPlace.set(first, { tries: tries + 1, most: next });
		return tries + 1;
	}

	/** A page size, smaller where answers were lost or late at this place. */
	reduced(place: Place, size: number): number {
		return Math.min(size, this.triesByPlace.get(place)?.most ?? size);
	}

	/** What outlasts a run, as JSON takes it. */
	toJSON(): SavedLedger<Place> {
		return { cells: [...this.cells], strays: this.strays };
	}

	/** Takes what was kept into a list that knows nothing yet. */
	restore({ cells, strays }: SavedLedger<Place>): this {
		// First, as one of them may have got its place in another run.
		for (const { row, places } of strays) this.stray(row, places);
		for (const [place, cell] of cells)
			if (typeof cell === 'object') this.put(place, cell);
			else this.cells.set(place, cell);
		this.restored = this.rows;
		return this;
	}

	/** Counts the rows of an answer. */
	protected receive(order: Order<Place>, { rows }: Page): void {
		this.inFlight.delete(order);
		this.triesByPlace.delete(order.first);
		this.isAnswered = true;
		this.charged += rows.length;
	}

	/** Takes in what an answer contradicts: nothing more is asked. */
	protected break(found: Contradiction): Failure {
		this.broken ??= { kind: 'protocolViolation', ...found };
		return this.broken;
	}

	/** Keeps a row that has no place of its own; of one that comes once more, all that it came for are possible. */
	protected stray(row: Json, places: readonly Place[]): void {
		const text = JSON.stringify(row);
		const known = this.straysByText.get(text);
		const all = new Set([...(known?.places ?? []), ...places]);
		if (!known) this.straysByText.set(text, { row, places });
		// Many rows of one answer have the same places.
		else if (all.size > known.places.length) known.places = [...all];
	}
}

/** The profile that a row is about, by which rows are compared; undefined where it names none. */
export function profileOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' && url !== '' ? url : undefined;
}

/** Whether two rows are the same: by their profile, or to the letter where they name none. */
export function isSameRow(one: Json, other: Json): boolean {
	const profile = profileOf(other);
	if (profile !== undefined) return profileOf(one) === profile;
	return JSON.stringify(one) === JSON.stringify(other);
}
