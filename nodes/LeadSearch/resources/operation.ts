/** What an operation is made of; `execution/` carries operations out. */
import type { INodeProperties } from 'n8n-workflow';

import type { Endpoint, Json } from '../api/contract';
import type { AnyRequest, Pagination } from '../api/fetchPages';
import type { Held, ListRows } from '../api/listRows';
import type { ProfileRows } from '../api/profileRows';
import type { Remainder } from '../messages/stoppedRun';
import { canonical } from '../parameters/canonical';
import type { FetchSettings } from '../parameters/fetching';
import type { ParameterValues } from '../parameters/values';

/** What all operations of the node have: their parameters, and how they are read. */
interface AnyOperation<Request> {
	/**
	 * How n8n lists it. Its AI assistant decides by `value` what it may run for real: nothing that costs
	 * credits may have the name of a read, such as `search` or `lookUp`.
	 */
	option: { name: string; value: string; action: string; description: string };
	/** What an AI agent reads about it, with the price and the most that a call may cost. */
	toolDescription: string;
	properties: INodeProperties[];
	/**
	 * Reads what one input item asks for.
	 *
	 * @throws InvalidParameterError
	 */
	read(values: ParameterValues): Request;
}

/** An operation that sends nothing, and needs no credential. */
export interface LocalOperation<Request = unknown> extends AnyOperation<Request> {
	/**
	 * Answers what the input items ask for.
	 *
	 * @param warn tells something that people should know of the answer
	 */
	answer(
		requests: Array<ItemRequest<Request>>,
		output: FetchOutput,
		warn: (message: string) => void,
	): void;
}

/** An operation that asks the service. */
export interface Operation<Request = unknown> extends AnyOperation<Request> {
	endpoint: Endpoint;
	/** The profiles that are left out where an earlier execution bought them, as normalised URLs. */
	leavesOutBought?(request: Request): Iterable<string>;
	/**
	 * Joins what the items ask for into as few fetches as possible, in the order of the items.
	 *
	 * @param paid what was paid for before
	 */
	plan(requests: Array<ItemRequest<Request>>, paid: PaidResults): Fetch[];
}

/** What one input item asks for. */
export interface ItemRequest<Request> {
	item: number;
	request: Request;
}

/** What was paid for before, and where what is paid for now goes. */
export interface PaidResults {
	/** @param id what tells a list from others, within the node and its credential */
	list(id: unknown): ListRows;
	/** @param id what tells a lookup from others, but for its URLs */
	profiles(id: unknown): ProfileRows;
	/** Whether a profile is left out, since an earlier execution bought it. */
	leavesOut(url: string, profiles: ProfileRows): boolean;
}

/** Something to fetch for one input item or several. Fetches follow each other. */
export interface Fetch<Request extends AnyRequest = AnyRequest> {
	/** The input items that asked for it, in order; at least one. */
	items: number[];
	settings: FetchSettings;
	/** The service's address; undefined where the credential's counts. */
	baseUrl?: string;
	/** What was paid for before and now; fetches may share it. */
	source: ListRows | ProfileRows;
	/** Starts the pagination, behind what earlier fetches have brought. Called once. */
	start(): FetchPagination<Request>;
	/** The body of a request. */
	body(request: Request): Json;
	/**
	 * Emits what has come, whether or not the fetch was completed. Called once, after `start`.
	 *
	 * @param hint tells something that people should know of the result
	 * @returns the rows that no other fetch of the run has emitted
	 */
	emit(output: FetchOutput, hint: (message: string) => void): Held;
	/** What has not come, once the fetch has ended. */
	remainder(): Remainder;
	/** Profiles to be left out by later executions, as normalised URLs. Called after `emit`. */
	bought?(): Iterable<string>;
}

export interface FetchPagination<Request> extends Pagination<Request> {
	/** Rows charged that had come before, or that belong nowhere. */
	readonly repeatedRows: number;
}

/** Where a fetch puts what has come. */
export interface FetchOutput {
	/** Puts a row out for an input item. */
	add(item: number, json: Json): void;
	/** Emits what was not found for an input item, on the second output where there is one. */
	addNotFound(item: number, json: Json): void;
	/** Emits a row that may belong to any of several input items. */
	addForAny(items: readonly number[], json: Json): void;
}

/** Joins requests that are the same but for the order of keys, in the order of the first of each. */
export function groupBy<Request>(
	requests: Array<ItemRequest<Request>>,
	key: (request: Request) => unknown,
): Array<Array<ItemRequest<Request>>> {
	const groups = new Map<string, Array<ItemRequest<Request>>>();
	for (const member of requests) {
		const text = canonical(key(member.request));
		const group = groups.get(text);
		if (group) group.push(member);
		else groups.set(text, [member]);
	}
	return [...groups.values()];
}

/** Puts fetches in the order of the first input item of each. */
export function inOrderOfItems<Request extends AnyRequest>(
	fetches: Array<Fetch<Request>>,
): Array<Fetch<Request>> {
	return fetches.sort(({ items: [one = 0] }, { items: [other = 0] }) => one - other);
}
