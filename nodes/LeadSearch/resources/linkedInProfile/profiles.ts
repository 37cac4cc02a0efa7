/** Profiles to look up: the URLs of all input items, each once, and who gets what comes. */
import type { Json } from '../../api/contract';
import { hintLimit, hintNotFound, hintUnmatched } from '../../messages/hints';
import { LookUpJob } from '../../paging/lookUpJob';
import {
	groupBy,
	type Group,
	type ItemRequest,
	type Lists,
	type OutputRows,
	type RowsOptions,
	type Task,
	type TaskOutput,
} from '../operation';
import { addFields, shapeRow } from '../simplify';
import type { LinkedInUrls } from './linkedInUrls';
import { adviceFor, REASONS } from './refusals';

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

/** Requests with the same body are one job: no URL is looked up for two of them. The options of the first count for all. */
export function planLookUps(requests: Requester[], lists: Lists): Task[] {
	return groupBy(requests, ({ body }) => JSON.stringify(body)).map((members) =>
		lookUpTask(members, lists),
	);
}

function lookUpTask(members: Group<LookUpRequest>, lists: Lists): Task {
	const [{ request }] = members;
	const { body, limit, settings } = request;
	const askers: Requesters = new Map();
	for (const member of members) {
		for (const url of member.request.urls.keys()) {
			const group = askers.get(url);
			if (group) group.push(member);
			else askers.set(url, [member]);
		}
	}
	const urls = [...askers.keys()];
	// Whoever wants those with an email is served by what somebody has bought of all.
	const { onlyWithEmails, ...fields } = body;
	const list = lists.profiles(fields, new Set(urls), onlyWithEmails === true);
	const job = new LookUpJob(list, { urls, limit, pageSize: settings.pageSize });
	return {
		items: members.map(({ item }) => item),
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
			const output = outputOf(askers, job, request);
			output.entries.push(...members.flatMap(rejectedEntries));
			const { urls: open = 0 } = output.missing;
			if (end === 'limit' && open > 0 && (members.length > 1 || request.isForAgent))
				output.warnings.push(hintLimit(open, request.isForAgent));
			return output;
		},
	};
}

/** What has come for those who asked for it. */
function outputOf(askers: Requesters, job: LookUpJob, { limit, body }: LookUpRequest): TaskOutput {
	const { list: profiles } = job;
	const { unmatchedRows: unmatched } = profiles;
	const entries: OutputRows[] = [];
	const rows: Json[] = [];
	let hidden = 0;
	for (const [url, group] of askers) {
		for (const row of profiles.rowsOf(url).slice(0, limit - rows.length)) {
			rows.push(row);
			entries.push(...group.map((asker) => rowsFor(asker, shapeRow(row, asker.request.form))));
		}
		if (profiles.cells.get(url)?.length !== 0) continue;
		const shown = group.filter(({ request }) => request.unmatched !== 'leaveOut');
		if (shown.length === 0) hidden += 1;
		for (const asker of shown)
			entries.push(notFound(asker, asker.request.urls.get(url), reasonOf(asker.request)));
	}
	const missing = [...askers.keys()].filter((url) => !profiles.cells.has(url));
	return {
		entries,
		rows,
		warnings: [
			unmatched.length > 0 && hintUnmatched(unmatched.length),
			hidden > 0 && hintNotFound(hidden, body.onlyWithEmails === true),
		],
		missing: { items: itemsOf(askers, missing), urls: missing.length, unmatched },
	};
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
