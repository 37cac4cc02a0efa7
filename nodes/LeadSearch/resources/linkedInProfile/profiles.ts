/** Plans lookups: each URL of all input items is requested once, and each input item gets its own rows. */
import type { Json } from '../../api/contract';
import {
	describeLimit,
	describeNoProfiles,
	describeNotFound,
	describeRenamedProfiles,
	describeUnmatchedRows,
	type Hint,
} from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import {
	groupBy,
	type ItemRequest,
	type Lists,
	type OutputRows,
	type ServiceOptions,
	type Task,
	type TaskOutput,
} from '../operation';
import { addFields, shapeRow, type OutputFields } from '../simplify';
import type { LinkedInUrls } from './linkedInUrls';
import { adviceFor, countKinds, REASONS } from './rejections';

/** The profiles that an input item requests. */
export interface LookUpRequest extends ServiceOptions, Pick<LinkedInUrls, 'urls'> {
	/**
	 * The entries that name no profile. They are returned as not found. If Unmatched URLs is 'Leave Out', the array is
	 * empty: with this value, an entry that names no profile makes the input item fail.
	 */
	rejected: LinkedInUrls['invalid'];
	/** The fields of the request's body that are the same for all URLs, such as `includePhones`. */
	body: Json;
	/**
	 * The number of rows that all input items get together; Infinity for all. The value of the first input item counts.
	 */
	limit: number;
	form: OutputFields;
	includeInputFields: boolean;
	isForAgent: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
}

type Requester = ItemRequest<LookUpRequest>;

/** The input items that request a profile, by its normalized URL. */
type Requesters = Map<string, Requester[]>;

/**
 * Joins requests into as few tasks as possible. Requests share a task if their bodies are the same apart from the URLs.
 * So a URL that several of them contain is looked up once. If two requests with the same URL differ only in Only With
 * Emails, the URL is looked up once, with the option off, and both requests use the result.
 */
export function planLookUps(requests: Requester[], lists: Lists): Task[] {
	const withoutOption = ({ body }: LookUpRequest) =>
		JSON.stringify({ ...body, onlyWithEmails: undefined });
	const noProfiles = findNoProfiles(requests);
	const jobs: LookUpJob[] = [];
	const run = {
		limit: requests[0]?.request.limit ?? Infinity,
		jobs,
		isOnly: requests.length === 1,
	};
	return groupBy(requests, withoutOption).flatMap((members) => {
		const anyProfiles = members.filter((member) => !wantsEmail(member));
		const onlyWithEmails = members.filter(wantsEmail);
		const anyProfileUrls = new Set(anyProfiles.flatMap(listUrls));
		const isShared = (url: string) => anyProfileUrls.has(url);
		const sharing = onlyWithEmails.filter((member) => listUrls(member).some(isShared));
		const notSharing = onlyWithEmails.filter((member) => !sharing.includes(member));
		const withOwnUrls = onlyWithEmails.filter(
			(member) => member.request.urls.size === 0 || !listUrls(member).every(isShared),
		);
		const firstMembers = [...anyProfiles, ...sharing];
		const tasks = [
			...lookUpTask(firstMembers, isShared, lists, firstMembers, run),
			...lookUpTask(withOwnUrls, (url) => !isShared(url), lists, notSharing, run),
		];
		return tasks.map((task) => ({
			...task,
			output: (end) => {
				const output = task.output(end);
				// All tasks have the same warning, which is shown once.
				return { ...output, warnings: [...output.warnings, noProfiles] };
			},
		}));
	});
}

function listUrls({ request: { urls } }: Requester): string[] {
	return [...urls.keys()];
}

/**
 * Returns the hint that says how many entries of all input items contain no LinkedIn profile; false if there is no such
 * entry.
 */
function findNoProfiles(requests: readonly Requester[]): Hint {
	const rejected = requests.flatMap(({ request }) => request.rejected);
	if (rejected.length === 0) return false;
	const counts = requests.map(({ request }) => request.urls.size + request.rejected.length);
	const total = counts.reduce((sum, count) => sum + count, 0);
	const unit = counts.every((count) => count === 1) ? 'row' : 'entry';
	return describeNoProfiles(rejected.length, total, unit, countKinds(rejected));
}

function wantsEmail({ request: { body } }: Requester): boolean {
	return body.onlyWithEmails === true;
}

/**
 * Returns the task that looks up the URLs of several input items, or no task if there are no items.
 *
 * @param members the input items. The options of the first one apply to all
 * @param isOfTask whether this task requests a URL. Another task may request the other URLs of the input items
 * @param lists creates the list in which the task collects its rows
 * @param rejecting the input items for which this task returns the rejected entries as not found. An input item that
 * is in two tasks is in `rejecting` of only one of them, so that its rejected entries are returned once
 */
function lookUpTask(
	members: Requester[],
	isOfTask: (url: string) => boolean,
	lists: Lists,
	rejecting: readonly Requester[],
	{ limit, jobs, isOnly }: { limit: number; jobs: LookUpJob[]; isOnly: boolean },
): Task[] {
	const [first] = members;
	if (!first) return [];
	const { body, settings, isForAgent } = first.request;
	const requesters = groupByUrl(members, isOfTask);
	const urls = [...requesters.keys()];
	const { onlyWithEmails, ...fields } = body;
	const list = lists.profiles(fields, new Set(urls), onlyWithEmails === true);
	const job = new LookUpJob(list, { urls, limit, jobs, pageSize: settings.pageSize });
	const task: Task = {
		items: members.map(({ item }) => item).sort((a, b) => a - b),
		settings,
		job,
		body: ({ urls, page, size }) => ({
			...body,
			linkedinUrls: [...(urls ?? [])],
			_page: page,
			_per_page: size,
			max_results: size,
		}),
		output(end) {
			const output = lookUpOutput(requesters, job);
			output.entries.push(...rejecting.flatMap(rejectedEntries));
			const { urls: open = 0 } = output.missing;
			if (end === 'limit' && open > 0 && (!isOnly || isForAgent))
				output.warnings.push(describeLimit(open, isForAgent));
			return output;
		},
	};
	return [task];
}

function groupByUrl(members: Requester[], isIncluded: (url: string) => boolean): Requesters {
	const requesters: Requesters = new Map();
	for (const member of members) {
		for (const url of listUrls(member).filter(isIncluded)) {
			const group = requesters.get(url);
			if (group) group.push(member);
			else requesters.set(url, [member]);
		}
	}
	return requesters;
}

/**
 * Returns the output of a task. Each input item gets the rows of the URLs that it requested. A URL without a result is
 * returned as not found, or only counted in a hint if Unmatched URLs is 'Leave Out'.
 *
 */
function lookUpOutput(requesters: Requesters, job: LookUpJob): TaskOutput {
	const { list: profiles, maxRows } = job;
	const { unmatchedRows: unmatched } = profiles;
	const entries: OutputRows[] = [];
	const rows: Json[] = [];
	let hiddenUrls = 0;
	let renamedProfiles = 0;
	let isEmailMissing = false;
	for (const [url, group] of requesters) {
		for (const row of profiles.rowsOf(url).slice(0, maxRows - rows.length)) {
			rows.push(row);
			// Opaque IDs usually come back under public URLs.
			const namedUrl = profiles.urls.of(row);
			const isRenamed = namedUrl !== undefined && namedUrl !== url;
			if (isRenamed && !profiles.urls.isOpaque(url)) renamedProfiles += 1;
			const matchedMembers = group.filter((member) => isResultFor(row, member));
			entries.push(
				...matchedMembers.map((member) => rowsFor(member, shapeRow(row, member.request.form))),
			);
		}
		if (!profiles.cells.has(url)) continue;
		const unmatchedMembers = group.filter(
			(member) => !profiles.rowsOf(url).some((row) => isResultFor(row, member)),
		);
		const shown = unmatchedMembers.filter(({ request }) => request.unmatched !== 'leaveOut');
		if (unmatchedMembers.length > shown.length) {
			hiddenUrls += 1;
			isEmailMissing ||= unmatchedMembers.some(wantsEmail);
		}
		for (const member of shown)
			entries.push(notFound(member, member.request.urls.get(url), notFoundReason(member.request)));
	}
	const missing = [...requesters.keys()].filter((url) => !profiles.cells.has(url));
	return {
		entries,
		rows,
		warnings: [
			renamedProfiles > 0 && describeRenamedProfiles(renamedProfiles),
			unmatched.length > 0 && describeUnmatchedRows(unmatched.length),
			hiddenUrls > 0 && describeNotFound(hiddenUrls, isEmailMissing),
		],
		missing: { items: itemsOf(requesters, missing), urls: missing.length, unmatched },
	};
}

/**
 * Returns whether a row is a result for an input item. If the input item has Only With Emails on, a profile without an
 * email counts as not found.
 */
function isResultFor(row: Json, member: Requester): boolean {
	return !wantsEmail(member) || row.has_email !== false;
}

/**
 * Returns an output row with `found: false` and the reason for each entry of the input that isn't the URL of a
 * profile.
 */
function rejectedEntries(requester: Requester): OutputRows[] {
	return requester.request.rejected.map(({ entry, reason }) =>
		notFound(
			requester,
			entry ?? null,
			`This is ${REASONS[reason].what}. ${adviceFor([{ entry, reason }])}`,
		),
	);
}

/**
 * Creates the output for a URL that is not found.
 *
 * @param written the URL as the user wrote it
 */
function notFound(requester: Requester, written: unknown, reason: string): OutputRows {
	return rowsFor(requester, { linkedin_url: written, found: false, reason }, false);
}

/**
 * Returns the reason that an item with `found: false` contains. If Only With Emails is on, the reason names this
 * option, because the profile may exist without an email.
 */
function notFoundReason({ body }: LookUpRequest): string {
	return body.onlyWithEmails === true
		? 'No profile, or one without an email (Only With Emails is on)'
		: 'No profile';
}

function rowsFor({ item, input, request }: Requester, json: Json, isFound = true): OutputRows {
	const { includeInputFields, unmatched } = request;
	const fields = unmatched === 'returnAsNotFound' ? { ...json, found: isFound } : json;
	return {
		item,
		json: [includeInputFields ? addFields(input, fields) : fields],
		isNotFound: !isFound && unmatched === 'secondOutput',
	};
}

/** Returns the indexes of the input items that request any of these URLs, in order and without duplicates. */
function itemsOf(requesters: Requesters, urls: readonly string[]): number[] {
	const items = urls.flatMap((url) => (requesters.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((a, b) => a - b);
}
