/** A short way to ask the model of the service. */
import {
	serve,
	type Deviation,
	type Ledger,
	type Readings,
	type Request,
	type State,
} from '../../sandbox/service/model';
import { numberedRows, profilesOf } from '../numberedRows';

/** A service of 60 leads, who are its profiles too, and 1,000 credits. */
export function service(
	readings: Partial<Readings> = {},
	credits = 1_000,
	deviation?: Deviation,
	count = 60,
): State & Ledger {
	const rows = numberedRows(count);
	const profiles = profilesOf(rows);
	return { readings, deviation, leads: () => rows, profiles, credits, charged: [] };
}

/** An answer: its status, the ids of its rows in short ('25-49'), its body, and the fields of that. */
export function ask(of: State & Ledger, request: Request) {
	const { status, body, rows } = serve(of, request);
	const fields = body as Record<string, unknown>;
	return { ...fields, status, rows: inShort(rows), body: fields };
}

/** A page of a search. */
export function search(of: State & Ledger, _page: number, _per_page: number, more = {}) {
	const body = { _page, _per_page, max_results: 100_000, ...more };
	return ask(of, { endpoint: 'search', body });
}

/** A page of a preview. */
export function preview(of: State & Ledger, _page: number, _per_page: number) {
	return ask(of, { endpoint: 'preview', body: { _page, _per_page } });
}

/** A lookup of URLs by number; those from 60 on are of nobody. */
export function lookUp(of: State & Ledger, ids: number[], more = {}) {
	const linkedinUrls = ids.map(urlOf);
	return ask(of, { endpoint: 'lookUp', body: { linkedinUrls, ...more } });
}

export const urlOf = (id: number) => `https://www.linkedin.com/in/lead-${id}`;

function inShort(ids: number[]): string {
	const [first, ...others] = ids;
	const isRun = others.length > 1 && ids.every((id, index) => id === Number(first) + index);
	return isRun ? `${first}-${others.at(-1)}` : ids.join(' ');
}
