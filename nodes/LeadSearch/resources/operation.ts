/** The types of an operation and of its data. */
import type { Endpoint, Json } from '../api/contract';
import type { Hint, LabelledFilters } from '../messages/hints';
import type { Missing } from '../messages/stoppedRun';
import type { Job, PageRequest } from '../paging/job';
import type { LeadList, RowRange } from '../paging/leadList';
import type { ProfileList } from '../paging/profileList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Parameters, ParameterValues } from '../parameters/parameter';

interface OperationBase<Request> {
	/**
	 * The entry in n8n's list of operations. n8n's AI assistant decides by `value` which operations it may run for real.
	 * So the `value` of an operation that costs credits must not sound like a read, as `search` or `lookUp` would.
	 */
	option: { name: string; value: string; action: string; description: string };
	/** Describes the operation to an AI agent, with its price and the most that a call may cost. */
	toolDescription: string;
	parameters: Parameters;
	/**
	 * Reads the request of an input item from its parameter values.
	 *
	 * @throws InvalidParameterError if a value isn't possible, such as a Limit of 0
	 * @param isTool whether an AI agent calls the node
	 */
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
	/**
	 * Joins the requests of all input items into as few tasks as possible.
	 *
	 * @param lists creates the lists in which the tasks collect their rows
	 */
	plan(requests: Array<ItemRequest<Request>>, lists: Lists): Task[];
}

/** The address of the service, and settings such as Page Size, for the requests of an input item. */
export interface ServiceOptions {
	/** The address of the service. If it is undefined, the requests go to the Base URL of the credential. */
	baseUrl?: string;
	settings: FetchSettings;
}

export interface ItemRequest<Request> {
	item: number;
	input: Json;
	request: Request;
}

/**
 * Creates the lists in which tasks collect rows: leads by index, or profiles by URL. A new list is empty. A paid run
 * adds the cached rows after it has locked its lists, so that no other run buys the same rows at the same time.
 */
export interface Lists {
	/**
	 * @param id identifies the list among all lists of the account
	 * @param hasRaw whether the rows are requested with the field `raw`
	 */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): LeadList;
	/** @param withEmail whether a profile without an email counts as not found */
	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList;
}

/**
 * A part of a run: a job, which decides what to request next, and the output for one or several input items. Input
 * items share a task if they request the same leads, or if their profiles can be looked up in the same requests.
 */
export interface Task extends ServiceOptions {
	/** In order. There is at least one. */
	items: number[];
	job: Job;
	body(request: PageRequest): Json;
	/**
	 * Returns the output for the rows that were received so far, even if the job didn't get all of its rows.
	 *
	 * @param end why the job sends no more requests, for example 'limit'; undefined after a failure
	 */
	output(end: Result['end']): TaskOutput;
}

/** The output of a task, and the hints about it. */
export interface TaskOutput {
	entries: OutputRows[];
	/**
	 * The rows from which `entries` were made, as the service sent them. If several input items get a row, the row
	 * occurs once here.
	 */
	rows: Json[];
	warnings: Hint[];
	/** Whether the output names costs that nobody was charged. */
	isEstimate?: boolean;
	/** The filters whose lists commas have separated, so that the user sees how they were read. */
	splitLists?: LabelledFilters;
	/**
	 * The requested results that the task didn't receive, because a request failed, because no credits were left of a
	 * limit, or because a lookup already had as many profiles as 'Limit' allows.
	 */
	missing: Missing;
	/**
	 * The value of 'Skip' that gets the next rows. It is defined only if the task ended at Limit and the list may have
	 * more rows.
	 */
	nextSkip?: number | undefined;
	/** The countries in the filter that no returned row has, for example the misspelled `['Germny']`. */
	absentCountries?: string[];
}

export interface OutputRows {
	item: number;
	json: Json[];
	/**
	 * Whether these items belong in the second output, 'Not Found'. If the node has only one output, they go to that
	 * output.
	 */
	isNotFound?: boolean;
}

/**
 * Returns the rows of several tasks without duplicates. Two tasks can have rows of the same list: if one input item has
 * Limit 10 and another one has Limit 50, both tasks return the first 10 rows.
 */
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
