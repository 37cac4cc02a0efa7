/** What an operation is made of; `execution/` carries operations out. */
import type { Endpoint, Json } from '../api/contract';
import type { Hint } from '../messages/hints';
import type { Missing } from '../messages/stoppedRun';
import type { Job, PageRequest } from '../paging/job';
import type { LeadList, RowRange } from '../paging/leadList';
import type { ProfileList } from '../paging/profileList';
import type { Result } from '../paging/fetchAll';
import type { FetchSettings } from '../parameters/fetching';
import type { Parameters, ParameterValues } from '../parameters/parameter';
import type { OutputFields } from './simplify';

export interface OperationBase<Request> {
	/**
	 * How n8n lists it. Its AI assistant decides by `value` what it may run for real: nothing that costs
	 * credits may have the name of a read, such as `search` or `lookUp`.
	 */
	option: { name: string; value: string; action: string; description: string };
	/** What an AI agent reads about it, with the price and the most that a call may cost. */
	toolDescription: string;
	parameters: Parameters;
	/** @throws InvalidParameterError for what an input item, or an AI agent (`isTool`), can't ask for */
	read(values: ParameterValues, isTool: boolean): Request;
}

/** An operation that sends nothing, and needs no credential. */
export interface LocalOperation<Request = unknown> extends OperationBase<Request> {
	answer(requests: Array<ItemRequest<Request>>): Pick<TaskOutput, 'entries' | 'warnings'>;
}

/** What an input item asks the service for, as far as all operations know. */
export interface ItemOptions {
	/** The service's address; undefined where the credential's counts. */
	baseUrl?: string;
	settings: FetchSettings;
}

/** The same, of operations that return rows. */
export interface RowsOptions extends ItemOptions {
	/** What the request's body holds whatever page, URLs or fields it asks for. */
	body: Json;
	/** Rows wanted; Infinity for all. */
	limit: number;
	form: OutputFields;
}

/** An operation that asks the service. */
export interface Operation<
	Request extends ItemOptions = ItemOptions,
> extends OperationBase<Request> {
	endpoint: Endpoint;
	/** Joins what the items ask for into as few tasks as possible. @param lists what to fetch into */
	plan(requests: Array<ItemRequest<Request>>, lists: Lists): Task[];
}

/** What an input item asks for, and its fields. */
export interface ItemRequest<Request> {
	item: number;
	input: Json;
	request: Request;
}

/** Lists by what tells them from others of the node; they may hold what was paid for before. */
export interface Lists {
	/** @param hasRaw whether all rows are to have their field `raw` @param ranges the rows that are wanted */
	leads(id: unknown, hasRaw: boolean, ranges: readonly RowRange[]): LeadList;
	/** @param urls those that are wanted, normalised @param withEmail whether profiles without one are as good as not there */
	profiles(id: unknown, urls: ReadonlySet<string>, withEmail: boolean): ProfileList;
}

/** What an input item wants, or several that want the same. */
export interface Task extends ItemOptions {
	/** Its input items, in order; at least one. */
	items: number[];
	job: Job;
	/** The body of a request. */
	body(request: PageRequest): Json;
	/** What has come, whether or not all has. @param end how its job ended; undefined for by a failure */
	output(end: Result['end']): TaskOutput;
}

/** What comes out of a task, and what people should know of it. */
export interface TaskOutput {
	entries: OutputRows[];
	/** The rows in them, each once, as the service sent them. */
	rows: Json[];
	warnings: Hint[];
	/** Where its job failed; of a lookup that reached its limit, too. */
	missing: Missing;
	/** The 'Skip' that gets the next rows, if Limit truncated a list. */
	nextSkip?: number | undefined;
	/** Countries in the filter that no row has. */
	absentCountries?: string[];
}

/** The rows that several tasks put out, each once: tasks that share a list may share rows. */
export function rowsOf(outputs: ReadonlyArray<Pick<TaskOutput, 'rows'>>): Json[] {
	const [only] = outputs;
	if (outputs.length === 1 && only) return only.rows;
	return [...new Set(outputs.flatMap(({ rows }) => rows))];
}

/** Output items that belong to an input item. */
export interface OutputRows {
	item: number;
	json: Json[];
	/** Whether they go to the second output, if there is a second. */
	isNotFound?: boolean;
}

/** Input items that ask for the same. */
export type Group<Request> = [ItemRequest<Request>, ...Array<ItemRequest<Request>>];

/** Joins requests of which a text is the same, in the order of the first of each. */
export function groupBy<Request>(
	requests: Array<ItemRequest<Request>>,
	textOf: (request: Request) => string,
): Array<Group<Request>> {
	const groups = new Map<string, Group<Request>>();
	for (const member of requests) {
		const text = textOf(member.request);
		const group = groups.get(text);
		if (group) group.push(member);
		else groups.set(text, [member]);
	}
	return [...groups.values()];
}
