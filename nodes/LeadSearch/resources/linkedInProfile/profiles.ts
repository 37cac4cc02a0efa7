/** Plans lookups: each URL of all input items is requested once, and each input item gets its own rows. */
import type { Json } from '../../api/contract';
import {
	describeLimit,
	describeNoProfiles,
	describeNotFound,
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
	/** Entries that name no profile and are returned as not found, if Unmatched URLs is set so. */
	rejected: LinkedInUrls['invalid'];
	/** The fields of the body that are the same for all URLs. */
	body: Json;
	/** Number of rows for all input items together; Infinity for all. */
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
 * Joins requests into as few tasks as possible, so that no URL is requested twice. Requests share a task if their
 * bodies are the same apart from the URLs. If two requests with the same URL differ only in Only With Emails, the URL
 * is requested once, with the option off. Both requests use the result.
 */
export function planLookUps(requests: Requester[], lists: Lists): Task[] {
	const withoutOption = ({ body }: LookUpRequest) =>
		JSON.stringify({ ...body, onlyWithEmails: undefined });
	const noProfiles = findNoProfiles(requests);
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
			...lookUpTask(firstMembers, isShared, lists, firstMembers),
			...lookUpTask(withOwnUrls, (url) => !isShared(url), lists, notSharing),
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

/** Says how many entries of all input items contain no LinkedIn profile. */
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
 * @param isOfTask whether this task requests a URL
 * @param rejecting input items with invalid entries that this task returns as not found
 */
function lookUpTask(
	members: Requester[],
	isOfTask: (url: string) => boolean,
	lists: Lists,
	rejecting: readonly Requester[],
): Task[] {
	const [first] = members;
	if (!first) return [];
	const { body, limit, settings, isForAgent } = first.request;
	const requesters = groupByUrl(members, isOfTask);
	const urls = [...requesters.keys()];
	const { onlyWithEmails, ...fields } = body;
	const list = lists.profiles(fields, new Set(urls), onlyWithEmails === true);
	const job = new LookUpJob(list, { urls, limit, pageSize: settings.pageSize });
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
			const output = lookUpOutput(requesters, job, limit);
			output.entries.push(...rejecting.flatMap(rejectedEntries));
			const { urls: open = 0 } = output.missing;
			if (end === 'limit' && open > 0 && (members.length > 1 || isForAgent))
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

/** Returns the output for the input items that requested the profiles. */
function lookUpOutput(requesters: Requesters, job: LookUpJob, limit: number): TaskOutput {
	const { list: profiles } = job;
	const { unmatchedRows: unmatched } = profiles;
	const entries: OutputRows[] = [];
	const rows: Json[] = [];
	let hiddenUrls = 0;
	let isEmailMissing = false;
	for (const [url, group] of requesters) {
		for (const row of profiles.rowsOf(url).slice(0, limit - rows.length)) {
			rows.push(row);
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
			unmatched.length > 0 && describeUnmatchedRows(unmatched.length),
			hiddenUrls > 0 && describeNotFound(hiddenUrls, isEmailMissing),
		],
		missing: { items: itemsOf(requesters, missing), urls: missing.length, unmatched },
	};
}

/** Returns whether a row is a result for an input item. With Only With Emails, a profile without an email counts as not found. */
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

/** Returns the reason why a URL is not found. */
function notFoundReason({ body }: LookUpRequest): string {
	return body.onlyWithEmails === true
		? 'No profile with an email (Only With Emails is on)'
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

/** Returns the input items that request any of these URLs, in order. */
function itemsOf(requesters: Requesters, urls: readonly string[]): number[] {
	const items = urls.flatMap((url) => (requesters.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((a, b) => a - b);
}
