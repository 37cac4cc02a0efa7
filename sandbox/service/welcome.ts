import Table from 'cli-table3';
import { ADMIN_PREFIX } from './admin/admin';
import { DEFAULT_LEADS, leadAt, LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './index';
import type { LeadService } from './index';

function curl(url: string, body: object, key?: string): string {
	const authorization = key === undefined ? [] : [`-H 'Authorization: Bearer ${key}'`];
	return [
		`  curl -s ${url}`,
		`-H 'Content-Type: application/json'`,
		...authorization,
		`-d '${JSON.stringify(body)}'`,
	].join(' \\\n    ');
}

/** What a person reads when the service starts: addresses, accounts, and a call to try of each. */
export function welcome({ baseUrl, admin }: LeadService): string {
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
	const filters = { job_title_seniority: ['owner', 'cxo'], _per_page: 3, _include_raw: false };
	const urls = { linkedinUrls: [leadAt(0).linkedin_url] };
	return [
		`Mock of the lead service with ${DEFAULT_LEADS.toLocaleString('en')} made-up leads`,
		`  Base URL   ${baseUrl}`,
		`  Admin      ${baseUrl}${ADMIN_PREFIX}accounts, requests, addFault, ...`,
		'',
		accounts.toString(),
		'',
		'Preview (free)',
		curl(baseUrl + PREVIEW_PATH, { person_location_country: ['Iceland'], _per_page: 3 }),
		'Search (3 credits)',
		curl(baseUrl + SEARCH_PATH, filters, key),
		'LinkedIn lookup (1 credit)',
		curl(baseUrl + LOOKUP_PATH, urls, key),
		'Admin: a method and its arguments (for one without any, the address will do)',
		curl(`${baseUrl}${ADMIN_PREFIX}setCredits`, ['few', { apiCredits: 60 }]),
		'',
		'Stop with Ctrl+C.',
	].join('\n');
}
