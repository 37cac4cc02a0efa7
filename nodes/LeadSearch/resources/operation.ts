/** The types of an operation and of its data. `execution/` carries operations out. */
import type { Endpoint, Json } from '../api/contract';
import type { Hint } from '../messages/hints';
import type { Missing } from '../messages/stoppedRun';
import type { Job, PageRequest } from '../paging/job';
import type { LeadList, RowRange } from '../paging/leadList';
import type { ProfileList } from '../paging/profileList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Parameters, ParameterValues } from '../parameters/parameter';

interface OperationBase<Request> {
	/**
	 * The entry in n8n's list of operations. n8n's AI assistant decides by `value` which operations it may run for real, so
	 * an operation that costs credits must not have the name of a read, such as `search` or `lookUp`.
	 */
	option: { name: string; value: string; action: string; description: string };
	/** Describes the operation to an AI agent, with its price and the most that a call may cost. */
	toolDescription: string;
	parameters: Parameters;
	/**
	 * Reads the request of an input item from its parameter values.
	 *
	 * @throws InvalidParameterError if an input item, or an AI agent (`isTool`), requests something that isn't
	 * possible
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
	 * @param lists creates the lists that the tasks fill
	 */
	plan(requests: Array<ItemRequest<Request>>, lists: Lists): Task[];
}

/** The address to which the requests of an input item are sent, and how they are sent. */
export interface ServiceOptions {
	/** The address of the service. If it is undefined, the credential's address is used. */
	baseUrl?: string;
	settings: FetchSettings;
}

/** The request of one input item, and the fields of that item. */
export interface ItemRequest<Request> {
	item: number;
	input: Json;
	request: Request;
}

/** Creates lists. The cached rows are added to the lists later, when the run has its locks. */
export interface Lists {
	/**
	 * Returns a list of leads. Rows that are cached for it are added later.
	 *
	 * @param id distinguishes the list from other lists of the account
	 * @param hasRaw if true, cached rows are used only if they have the field `raw`
	 * @param ranges the rows that the task requests
	 */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): LeadList;
	/**
	 * Returns a list of profiles. Rows that are cached for it are added later.
	 *
	 * @param id distinguishes the list from other lists of the account
	 * @param urls the requested URLs, normalized
	 * @param withEmail whether a profile without an email counts as not found
	 */
	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList;
}

/** One job for one input item, or for several that request the same. */
export interface Task extends ServiceOptions {
	/** The input items, in order. There is at least one. */
	items: number[];
	job: Job;
	/** Returns the body of the HTTP request for a page. */
	body(request: PageRequest): Json;
	/**
	 * Returns the rows that were received so far, even if the job isn't complete.
	 *
	 * @param end how the job ended; undefined after a failure
	 */
	output(end: Result['end']): TaskOutput;
}

/** The output of a task, and the hints about it. */
export interface TaskOutput {
	entries: OutputRows[];
	/** The rows of all entries, as the service sent them. A row that several entries contain occurs once. */
	rows: Json[];
	warnings: Hint[];
	/**
	 * The results that the task requested but didn't receive, because of a failure, or because a lookup reached its
	 * limit.
	 */
	missing: Missing;
	/** The 'Skip' that gets the next rows, if Limit truncated a list. */
	nextSkip?: number | undefined;
	/** Countries in the filter that no row has. */
	absentCountries?: string[];
}

/** Output items that are paired with one input item. */
export interface OutputRows {
	item: number;
	json: Json[];
	/** Whether the rows go to the second output, if the node has one. */
	isNotFound?: boolean;
}

/** Returns the rows of several tasks without duplicates: tasks that share a list can share rows. */
export function collectRows(outputs: ReadonlyArray<Pick<TaskOutput, 'rows'>>): Json[] {
	const [only] = outputs;
	if (outputs.length === 1 && only) return only.rows;
	return [...new Set(outputs.flatMap(({ rows }) => rows))];
}

/**
 * The requests of several input items that have the same key: the service would return the same rows for all of them.
 */
export type Group<Request> = [ItemRequest<Request>, ...Array<ItemRequest<Request>>];

/** Groups requests that have the same key. The groups are in the order of their first requests. */
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
