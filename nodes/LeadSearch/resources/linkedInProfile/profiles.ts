/** Plans lookups: each URL of all input items is requested once, and each input item gets its own rows. */
import type { Json } from '../../api/contract';
import type { Hint } from '../../messages/hint';
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
import {
	describeLimit,
	describeNoProfiles,
	describeNotFound,
	describeRenamedProfiles,
	describeUnmatchedRows,
} from './hints';
import type { LinkedInUrls } from './linkedInUrls';
import { adviceFor, countKinds, REASONS } from './rejections';

export interface LookUpRequest extends ServiceOptions, Pick<LinkedInUrls, 'urls'> {
	/**
	 * The entries that are returned as not found. There are none if Unmatched URLs is 'Leave Out': such an entry then
	 * makes the input item fail.
	 */
	rejected: LinkedInUrls['invalid'];
	/** The fields that the requests for all URLs have. */
	body: Json;
	/** The number of rows that all input items get together. The value of the first one counts. */
	limit: number;
	fields: OutputFields;
	includeInputFields: boolean;
	isForAgent: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
}

type Requester = ItemRequest<LookUpRequest>;

/** The input items that request each URL. */
type Requesters = Map<string, Requester[]>;

/**
 * Requests share a task if their bodies are the same apart from the URLs. If requests with the same URL differ only
 * in Only With Emails, the URL is looked up once, with the option off.
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
			output: (outcome) => {
				const output = task.output(outcome);
				// All tasks have the same warning, which is shown once.
				return { ...output, warnings: [...output.warnings, noProfiles] };
			},
		}));
	});
}

function listUrls({ request: { urls } }: Requester): string[] {
	return [...urls.keys()];
}

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
 * Creates a task for the URLs of `members` for which `isOfTask` is true. Another task may request the others. The
 * options of the first member apply to all. `rejecting` are the members whose rejected entries this task returns as not
 * found, so that they are returned once.
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
	const list = lists.createProfiles(fields, new Set(urls), onlyWithEmails === true);
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
		output(outcome) {
			const output = lookUpOutput(requesters, job);
			output.entries.push(...rejecting.flatMap(rejectedEntries));
			const { urls: open = 0 } = output.missing;
			if (outcome === 'limit' && open > 0 && (!isOnly || isForAgent))
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
				...matchedMembers.map((member) => rowsFor(member, shapeRow(row, member.request.fields))),
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

function isResultFor(row: Json, member: Requester): boolean {
	return !wantsEmail(member) || row.has_email !== false;
}

function rejectedEntries(requester: Requester): OutputRows[] {
	return requester.request.rejected.map(({ entry, reason }) =>
		notFound(
			requester,
			entry ?? null,
			`This is ${REASONS[reason].what}. ${adviceFor([{ entry, reason }])}`,
		),
	);
}

function notFound(requester: Requester, written: unknown, reason: string): OutputRows {
	return rowsFor(requester, { linkedin_url: written, found: false, reason }, false);
}

/** If Only With Emails is on, the profile may exist without an email. */
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

function itemsOf(requesters: Requesters, urls: readonly string[]): number[] {
	const items = urls.flatMap((url) => (requesters.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((a, b) => a - b);
}
