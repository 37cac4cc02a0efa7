/** What an operation is made of; `execute.ts` carries operations out. */
import type { INodeProperties } from 'n8n-workflow';

import type { Endpoint, Json, PageAnswer } from '../service/contract';
import type { Outcome } from '../service/failures';
import type { PageAsk } from '../service/paging';
import type { Fetching, ItemParameters } from './itemParameters';
import type { Output } from './output';

/** One of the node's operations: its parameters, and what it does with them. */
export interface Operation<Request = unknown> {
	endpoint: Endpoint;
	properties: INodeProperties[];
	/**
	 * Reads what one input item asks for.
	 *
	 * @throws BadParameter
	 */
	read(parameters: ItemParameters): Request;
	/** Joins what the items ask for into as few jobs as possible, in the order of the items. */
	plan(requests: Array<ItemRequest<Request>>): Job[];
}

/** What one input item asks for. */
export interface ItemRequest<Request> {
	item: number;
	request: Request;
}

/** What Skip and Limit count for: a search, or all the URLs that were given with the same options. */
export interface List {
	/** The input items that asked for it, in order; at least one. */
	items: number[];
	/** Skip as it is set, in rows. */
	skip: number;
	/** The most rows that it can have; undefined where only the service knows. */
	longest?: number;
}

/** A list to fetch, or a batch of one, for one input item or several. */
export interface Job {
	/** The input items that asked for it, in order; at least one. */
	items: number[];
	/** The list that it is, or belongs to. Jobs of the same list follow each other. */
	list: List;
	/** Which rows, and how. `rows` may shrink with what came before, so it is asked when the job starts. */
	fetching(): Fetching;
	/** Rows of the list that belong to batches before this one. */
	skipBefore?: number;
	/** The most rows that can come; undefined where only the service knows. */
	longest?: number;
	/** The service's address; undefined where the credential's counts. */
	baseUrl?: string;
	/** The body of the request for a page. */
	body(ask: PageAsk): Json;
	/** Reads a page out of an answer. */
	readPage(answer: Json | unknown[], secrets: readonly string[]): Outcome<PageAnswer>;
	/** Puts the rows of a page out. */
	deliver(rows: Json[], output: Output): void;
	/** Called once the list is known to be whole. */
	complete?(output: Output): void;
	/** The items that have not got all they asked for, should the job fail now. */
	unserved(): number[];
}

/** Joins requests that are the same to the letter, keeping the order. */
export function groupSame<Request>(
	requests: Array<ItemRequest<Request>>,
	key: (request: Request) => unknown,
): Array<{ items: number[]; request: Request; members: Request[] }> {
	const groups = new Map<string, { items: number[]; request: Request; members: Request[] }>();
	for (const { item, request } of requests) {
		const text = JSON.stringify(key(request));
		const group = groups.get(text);
		if (group) {
			group.items.push(item);
			group.members.push(request);
		} else groups.set(text, { items: [item], request, members: [request] });
	}
	return [...groups.values()];
}

/** `max_results` counts from the first row of a list: Skip and Limit together, or the most there is. */
export function maxResults({ skip, rows }: Pick<Fetching, 'skip' | 'rows'>, most: number): number {
	return Math.min(skip + rows, most);
}
