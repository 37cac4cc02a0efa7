import Table from 'cli-table3';
import { ADMIN_PREFIX } from './admin/routes';
import { LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './contract/paths';
import type { LeadService } from './index';

interface Example {
	what: string;
	path: string;
	key?: string;
	body: object;
}

function curl(baseUrl: string, { what, path, key, body }: Example): string {
	const lines = [
		`curl -s ${baseUrl}${path}`,
		`-H 'Content-Type: application/json'`,
		...(key === undefined ? [] : [`-H 'Authorization: Bearer ${key}'`]),
		`-d '${JSON.stringify(body)}'`,
	];
	return `${what}\n  ${lines.join(' \\\n    ')}`;
}

/** What a person reads when the service starts: addresses, accounts, and a call to try of each. */
export function welcome({ baseUrl, admin, book }: LeadService): string {
	const accounts = new Table({
		head: ['Account', 'API key', 'API credits', 'Session token', 'Subscription credits'],
		colAligns: ['left', 'left', 'right', 'left', 'right'],
		style: { head: [], border: [] },
	});
	for (const { id, apiKey, apiCredits, sessionToken, subscriptionCredits } of admin.accounts())
		accounts.push([
			id,
			apiKey,
			apiCredits.toLocaleString('en'),
			sessionToken,
			subscriptionCredits.toLocaleString('en'),
		]);

	const key = admin.accounts()[0]?.apiKey;
	const examples: Example[] = [
		{
			what: 'Preview (free)',
			path: PREVIEW_PATH,
			body: { person_location_country: ['Iceland'], _per_page: 3 },
		},
		{
			what: 'Search (3 credits)',
			path: SEARCH_PATH,
			key,
			body: { job_title_seniority: ['owner', 'cxo'], _per_page: 3, _include_raw: false },
		},
		{
			what: 'LinkedIn lookup (1 credit)',
			path: LOOKUP_PATH,
			key,
			body: { linkedinUrls: [book.leadAt(0).linkedin_url] },
		},
	];
	return [
		`Lead service with ${book.size.toLocaleString('en')} made-up leads`,
		`  Base URL   ${baseUrl}`,
		`  Back door  ${baseUrl}${ADMIN_PREFIX}/accounts, /requests, /faults, ...`,
		'',
		accounts.toString(),
		'',
		...examples.map((example) => curl(baseUrl, example)),
		'',
		'Stop with Ctrl+C.',
	].join('\n');
}
