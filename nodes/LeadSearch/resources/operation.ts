/** The types of an operation and of its data. */
import type { Endpoint, Json } from '../api/contract';
import type { Hint, LabelledFilters } from '../messages/hint';
import type { Missing } from '../messages/stoppedRun';
import type { Job, PageRequest } from '../paging/job';
import type { LeadList, RowRange } from '../paging/leadList';
import type { ProfileList } from '../paging/profileList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Parameters, ParameterValues } from '../parameters/parameter';

interface OperationBase<Request> {
	/**
	 * The entry in the list of operations. n8n's AI assistant decides by `value` which operations it may run for real. If
	 * an operation costs credits, its `value` must not sound like a read, as `search` or `lookUp` would.
	 */
	option: { name: string; value: string; action: string; description: string };
	/** The description of the tool for an agent. It names the price and the most that a call may cost. */
	toolDescription: string;
	parameters: Parameters;
	/** @throws InvalidParameterError if a value isn't possible, such as a Limit of 0 */
	read(values: ParameterValues, isTool: boolean): Request;
}

/** An operation that sends nothing, and needs no credential. */
export interface LocalOperation<Request = unknown> extends OperationBase<Request> {
	compute(requests: Array<ItemRequest<Request>>): Pick<TaskOutput, 'entries' | 'warnings'>;
}

/** An operation that sends requests to the service. */
export interface Operation<
	Request extends ServiceOptions = ServiceOptions,
> extends OperationBase<Request> {
	endpoint: Endpoint;
	/** Joins the requests of all input items into as few tasks as possible. */
	plan(requests: Array<ItemRequest<Request>>, lists: Lists): Task[];
}

export interface ServiceOptions {
	/** If it is undefined, the requests go to the Base URL of the credential. */
	baseUrl?: string;
	settings: FetchSettings;
}

/** The request of an input item, with its index and its fields. */
export interface ItemRequest<Request> {
	item: number;
	input: Json;
	request: Request;
}

/**
 * Creates the lists in which tasks collect rows: leads by index, or profiles by URL. `id` identifies a list within
 * the account. A new list is empty: a run adds the cached rows after `plan`.
 */
export interface Lists {
	createLeads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): LeadList;
	/** `withEmail` is whether a profile without an email counts as not found. */
	createProfiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList;
}

/**
 * A job, and the output for one or several input items. Input items share a task if they request the same leads, or
 * if their profiles can be looked up in the same requests.
 */
export interface Task extends ServiceOptions {
	/** They are in ascending order, and there is at least one. */
	items: number[];
	job: Job;
	body(request: PageRequest): Json;
	/** Returns the output for the rows that were received so far. After a failure, `outcome` is undefined. */
	output(outcome: Result['outcome']): TaskOutput;
}

export interface TaskOutput {
	entries: OutputRows[];
	/** The rows as the service sent them. A row that several input items get occurs once. */
	rows: Json[];
	warnings: Hint[];
	/** Whether the output names costs that nobody was charged. */
	isEstimate?: boolean;
	/** The lists that commas have separated, so that the user sees how they were read. */
	splitLists?: LabelledFilters;
	/** The results that are missing after a failure, at a spending limit, or at 'Limit' of a lookup. */
	missing: Missing;
	/**
	 * The value of 'Skip' for the next rows. It is set only if the task ended at Limit and the list may have more
	 * rows.
	 */
	nextSkip?: number | undefined;
	/** The countries in the filter that no returned row has. */
	absentCountries?: string[];
}

/** Output items for one input item. */
export interface OutputRows {
	item: number;
	json: Json[];
	/** Whether these items belong in the output 'Not Found', if the node has it. */
	isNotFound?: boolean;
}

/** Returns the rows of all outputs. Two tasks can return the same rows of a shared list, and each row counts once. */
export function collectRows(outputs: ReadonlyArray<Pick<TaskOutput, 'rows'>>): Json[] {
	const [only] = outputs;
	if (outputs.length === 1 && only) return only.rows;
	return [...new Set(outputs.flatMap(({ rows }) => rows))];
}

export type Group<Request> = [ItemRequest<Request>, ...Array<ItemRequest<Request>>];

export function groupBy<Request>(
	requests: Array<ItemRequest<Request>>,
	keyOf: (request: Request) => string,
): Array<Group<Request>> {
	const groups = new Map<string, Group<Request>>();
	for (const member of requests) {
		const key = keyOf(member.request);
		const group = groups.get(key);
		if (group) group.push(member);
		else groups.set(key, [member]);
	}
	return [...groups.values()];
}
