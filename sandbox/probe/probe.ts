/** Asks a lead service how it reads its contract: a line of a table for each question. */
import { ENDPOINTS, type Endpoint, type Json } from '../../nodes/LeadSearch/api/contract';
import type { Page } from '../../nodes/LeadSearch/api/contract';
import { asOneLine, redactor } from '../../nodes/LeadSearch/api/errorText';
import { readPage } from '../../nodes/LeadSearch/api/response';

export const BUDGET = 10;
/** A page size that a service may well refuse or cut; asked for only where there is no row. */
const LARGE = 1_000;
/** The smallest page size that a service may have of its own. */
const SMALL = 25;

const NOBODY = 'nobody-has-this-title-or-profile-5f1c9b7e';
const noOne = { job_titles: [NOBODY] };
const urlOf = (profile: string) => `https://www.linkedin.com/in/${profile}`;
const urlsOf = (rows: readonly Json[]) =>
	rows.map(({ linkedin_url: url }) => (typeof url === 'string' ? url : '')).filter(Boolean);

/** Nobody can tell them apart. */
const SHORT =
	'a short page that says that more follow: credits have run out, or not noticed, as where pages are filtered';

class Stopped extends Error {}

interface Allowed {
	/** Rows that the service may return: as many as are asked for, unless given. */
	readonly most?: number;
	/** Whether it may refuse the page, or answer with an earlier one. */
	readonly isEnd?: boolean;
	/** Profiles that must not come again. */
	readonly seen?: readonly string[];
}

interface Line {
	readonly question: string;
	readonly answer: string;
	/** `supported`, or `noticed`: what of it would end a run with a message. */
	readonly verdict: string;
}

type Body = Readonly<Record<string, unknown>> & { _page: number; _per_page: number };

/**
 * Resolves with the lines, a Markdown table of them, and the credits that the rows which came cost.
 * @param key the API key; it leaves this function in a header only
 * @param filters of a search that more than three leads fit
 */
export async function probe(baseUrl: string, key: string, filters: Json = {}) {
	const redact = redactor([key]);
	const lines: Line[] = [];
	let spent = 0;
	let stopped = '';
	await askAll().catch((error: unknown) => {
		if (!(error instanceof Stopped)) throw error;
		stopped = `\nEnded early: ${error.message}.\n`;
	});
	const row = (...cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
	const head = row('Question', 'What the service answers', 'Verdict') + row('---', '---', '---');
	const table = lines.map(({ question, answer, verdict }) => row(question, answer, verdict));
	const report = `${head}${table.join('')}${stopped}\nCredits spent: ${spent}\n`;
	return { lines, spent, report };

	async function askAll(): Promise<void> {
		await ask('A preview of 100 leads', 'preview', { ...filters, _page: 1, _per_page: 100 });
		const none = await search('A search that no lead fits', 1, 1, noOne);
		if (none.length > 0) throw new Stopped('a search that should fit nobody found a lead');
		const isEnd = true;
		await search(`A page size of ${LARGE} in a search`, 1, LARGE, noOne, { most: 0, isEnd });
		await search('A page after the only one', 2, 1, noOne, { isEnd });

		const first = await search('Page 1 of 2 leads', 1, 2);
		if (first.length === 1) await search('The lead after a short page', 2, 1);
		if (first.length < 2) throw new Stopped(`the first page held ${first.length} of 2 leads`);
		const three = { ...filters, max_results: 3 };
		const seen = urlsOf(first);
		const second = await search('Page 2 of the first 3 leads', 2, 2, three, { seen });
		if (second.length === 1) await search('The fourth lead', 4, 1);
		if (second.length === 1) await search('A page after the first 3 leads', 4, 1, three, { isEnd });

		const nobody = Array.from({ length: LARGE }, (_, index) => urlOf(`${NOBODY}-${index}`));
		const noCost = { most: 0, isEnd };
		await lookUp(`A page size of ${LARGE} in a lookup`, nobody, LARGE, noCost);
		const half = [urlOf(NOBODY), seen[0] ?? ''];
		const counted = await lookUp('A page of 1 for 2 profiles, the first of nobody', half, 1);
		// Where pages count URLs, each profile may come twice.
		await lookUp('Known profiles', counted.length > 0 ? seen : seen.slice(0, 1), 2);
	}

	/** The leads of a page. */
	async function search(
		question: string,
		page: number,
		size: number,
		more = filters,
		allowed: Allowed = {},
	): Promise<readonly Json[]> {
		const paging = { _page: page, _per_page: size };
		const body = { max_results: 100_000, ...more, ...paging };
		const served = await ask(question, 'search', body, allowed);
		if (served?.rows.length === 0 && served.hasMore)
			throw new Stopped('an empty page said that more follow');
		return served?.rows ?? [];
	}

	async function lookUp(question: string, urls: readonly string[], size: number, more?: Allowed) {
		const body = { linkedinUrls: urls, onlyWithEmails: false, _page: 1, _per_page: size };
		const { rows = [] } = (await ask(question, 'lookUp', body, more)) ?? {};
		return rows;
	}

	/** Asks, and notes the answer. Undefined when it was refused, as it may be. */
	async function ask(question: string, endpoint: Endpoint, body: Body, allowed: Allowed = {}) {
		const { path, costsCredits } = ENDPOINTS[endpoint];
		const most = costsCredits ? (allowed.most ?? body._per_page) : 0;
		if (spent + most > BUDGET)
			throw new Stopped(`the next question may cost ${most}, and ${spent} credits are spent`);
		const authorization = `Bearer ${key}`;
		const response = await fetch(baseUrl + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...(costsCredits && { authorization }) },
			body: JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(60_000),
		}).catch((error: unknown) => {
			spent += most;
			throw new Stopped(redact(`${path} did not answer: ${String(error)}`));
		});
		const { status } = response;
		const text = redact(await response.text());
		if (![200, 400, 402, 404, 413, 422].includes(status))
			throw new Stopped(`${path} answered with status ${status}`);
		const served = status === 200 ? pageIn(text, endpoint) : undefined;
		// Rows under an unknown name may have been charged as well.
		if (costsCredits && status === 200) spent += served?.rows.length ?? most;
		const breach = breachOf(status, served, body, allowed);
		const fields = Object.keys(parsed(text) ?? {}).join(', ');
		const refused = `${status}: ${status === 200 ? `none of its rows, among ${fields}` : asOneLine(text)}`;
		const answer = served ? told(served, text, body) : refused;
		const unsupported = breach === SHORT ? SHORT : `noticed: ${breach}`;
		lines.push({ question, answer, verdict: breach ? unsupported : 'supported' });
		if (status === 402) throw new Stopped('the key had no credits left');
		if (breach && costsCredits && (served?.rows.length ?? Infinity) > body._per_page)
			throw new Stopped(breach);
		return served;
	}
}

function pageIn(text: string, endpoint: Endpoint): Page | undefined {
	const json = parsed(text);
	const reading = json && readPage(json, endpoint);
	return reading && 'value' in reading ? reading.value : undefined;
}

function parsed(text: string): Json | unknown[] | undefined {
	try {
		const json: unknown = JSON.parse(text);
		return typeof json === 'object' && json !== null ? (json as Json) : undefined;
	} catch {
		return undefined;
	}
}

/** What an answer does that no supported service does, if anything. */
function breachOf(
	status: number,
	served: Page | undefined,
	{ _page, _per_page, linkedinUrls }: Body,
	{ isEnd = false, seen = [] }: Allowed,
): string | undefined {
	if (status !== 200) return status === 402 || isEnd ? undefined : 'a refusal';
	if (!served) return 'no rows by a known name';
	const { rows, page = _page, perPage = _per_page, hasMore, nextPage, violation } = served;
	if (violation !== undefined) return violation;
	if (rows.length > _per_page || perPage > _per_page) return 'more rows than asked for';
	const isLastPage = isEnd && page < _page && (hasMore === false || nextPage === null);
	if (page !== _page && !isLastPage) return 'another page';
	if (urlsOf(rows).some((url) => seen.includes(url))) return 'leads of page 1 again';
	const isJump = typeof nextPage === 'number' && nextPage !== page + 1;
	if (rows.length > 0 && isJump && hasMore !== false) return 'a jump';
	// A lookup may count URLs in its pages.
	if (!hasMore || linkedinUrls || rows.length >= Math.min(_per_page, SMALL)) return undefined;
	if (rows.length > 0) return SHORT;
	return 'an empty page that says that more follow';
}

function told({ rows, ...page }: Page, text: string, { linkedinUrls }: Body): string {
	const json = parsed(text) ?? {};
	const [place] = Object.entries(json).find(([, value]) => Array.isArray(value)) ?? ['no name'];
	const urls = urlsOf(rows);
	const others = urls.filter((url) => Array.isArray(linkedinUrls) && !linkedinUrls.includes(url));
	const fields = { page: page.page, per_page: page.perPage, has_more: page.hasMore };
	const told = Object.entries({ ...fields, next_page: page.nextPage })
		.map(([name, value]) => `${name} ${value === undefined ? 'missing' : String(value)}`)
		.join(', ');
	const renamed = others.length > 0 ? `, ${others.length} of them under other URLs` : '';
	return (
		`${rows.length} rows under ${Array.isArray(json) ? 'no name' : place}, ` +
		`${new Set(urls).size} profiles${renamed}; ${told}`
	);
}
