/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
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
	type RowsOptions,
	type Task,
	type TaskOutput,
} from '../operation';
import { addFields, shapeRow } from '../simplify';
import type { LinkedInUrls } from './linkedInUrls';
import { adviceFor, countKinds, REASONS } from './refusals';

/** What an input item asks for. */
export interface LookUpRequest extends RowsOptions, Pick<LinkedInUrls, 'urls'> {
	/** What is no profile and stops nothing, as Unmatched URLs says. */
	rejected: LinkedInUrls['invalid'];
	includeInputFields: boolean;
	isForAgent: boolean;
	unmatched: 'leaveOut' | 'returnAsNotFound' | 'secondOutput';
}

type Requester = ItemRequest<LookUpRequest>;

/** Those who ask for a profile, by its normalised URL. */
type Requesters = Map<string, Requester[]>;

/**
 * Joins requests into as few jobs as possible, so that no URL is requested twice. Requests share a job if their bodies are
 * the same. If they differ in Only With Emails alone, a URL that one of them requests with the option off is requested
 * once, with the option off: what comes then serves both.
 */
export function planLookUps(requests: Requester[], lists: Lists): Task[] {
	const withoutOption = ({ body }: LookUpRequest) =>
		JSON.stringify({ ...body, onlyWithEmails: undefined });
	const noProfiles = findNoProfiles(requests);
	return groupBy(requests, withoutOption).flatMap((members) => {
		const [all = [], onlyWithEmails = []] = [false, true].map((isOn) =>
			members.filter((member) => wantsEmail(member) === isOn),
		);
		const requestedWithoutEmail = new Set(all.flatMap(({ request }) => [...request.urls.keys()]));
		const isShared = (url: string) => requestedWithoutEmail.has(url);
		const shared = onlyWithEmails.filter(({ request }) => [...request.urls.keys()].some(isShared));
		const others = onlyWithEmails.filter((member) => !shared.includes(member));
		const rest = onlyWithEmails.filter(
			({ request: { urls } }) => urls.size === 0 || ![...urls.keys()].every(isShared),
		);
		const tasks = [
			...lookUpTask([...all, ...shared], isShared, lists, [...all, ...shared]),
			...lookUpTask(rest, (url) => !isShared(url), lists, others),
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
 * @param members the input items; the options of the first one apply to all
 * @param isOfTask whether a URL is requested by this task
 * @param rejecting the input items whose invalid entries this task returns
 * @returns no task for no items
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
	const requesters: Requesters = new Map();
	for (const member of members) {
		for (const url of [...member.request.urls.keys()].filter(isOfTask)) {
			const group = requesters.get(url);
			if (group) group.push(member);
			else requesters.set(url, [member]);
		}
	}
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
			const output = outputOf(requesters, job, limit);
			output.entries.push(...rejecting.flatMap(rejectedEntries));
			const { urls: open = 0 } = output.missing;
			if (end === 'limit' && open > 0 && (members.length > 1 || isForAgent))
				output.warnings.push(describeLimit(open, isForAgent));
			return output;
		},
	};
	return [task];
}

/** The output for the input items that requested the profiles. */
function outputOf(requesters: Requesters, job: LookUpJob, limit: number): TaskOutput {
	const { list: profiles } = job;
	const { unmatchedRows: unmatched } = profiles;
	const entries: OutputRows[] = [];
	const rows: Json[] = [];
	let hidden = 0;
	let isEmailMissing = false;
	for (const [url, group] of requesters) {
		for (const row of profiles.rowsOf(url).slice(0, limit - rows.length)) {
			rows.push(row);
			const served = group.filter((member) => serves(row, member));
			entries.push(...served.map((member) => rowsFor(member, shapeRow(row, member.request.form))));
		}
		if (!profiles.cells.has(url)) continue;
		const unserved = group.filter(
			(member) => !profiles.rowsOf(url).some((row) => serves(row, member)),
		);
		const shown = unserved.filter(({ request }) => request.unmatched !== 'leaveOut');
		if (unserved.length > shown.length) {
			hidden += 1;
			isEmailMissing ||= unserved.some(wantsEmail);
		}
		for (const member of shown)
			entries.push(notFound(member, member.request.urls.get(url), reasonOf(member.request)));
	}
	const missing = [...requesters.keys()].filter((url) => !profiles.cells.has(url));
	return {
		entries,
		rows,
		warnings: [
			unmatched.length > 0 && describeUnmatchedRows(unmatched.length),
			hidden > 0 && describeNotFound(hidden, isEmailMissing),
		],
		missing: { items: itemsOf(requesters, missing), urls: missing.length, unmatched },
	};
}

/** Whether a row is a result for an input item: with Only With Emails, a profile without an email counts as not found. */
function serves(row: Json, member: Requester): boolean {
	return !wantsEmail(member) || row.has_email !== false;
}

/** Entries that are no profile, as not found, with the reason. */
function rejectedEntries(asker: Requester): OutputRows[] {
	return asker.request.rejected.map(({ entry, reason }) =>
		notFound(
			asker,
			entry ?? null,
			`This is ${REASONS[reason].what}. ${adviceFor([{ entry, reason }])}`,
		),
	);
}

/** @param written the URL as it was written */
function notFound(asker: Requester, written: unknown, reason: string): OutputRows {
	return rowsFor(asker, { linkedin_url: written, found: false, reason }, false);
}

/** Why nothing came for a URL. */
function reasonOf({ body }: LookUpRequest): string {
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

/** The input items that asked for any of these URLs, in order. */
function itemsOf(askers: Requesters, urls: readonly string[]): number[] {
	const items = urls.flatMap((url) => (askers.get(url) ?? []).map(({ item }) => item));
	return [...new Set(items)].sort((a, b) => a - b);
}
