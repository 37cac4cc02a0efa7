import { DEFAULT_LEADS, LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH } from './index';
import type { LeadService } from './index';

/** What a person reads when the service starts: its address, its accounts, and a call to try. */
export function welcome({ baseUrl, admin }: LeadService): string {
	const accounts = admin.accounts();
	const authorization = `-H 'Authorization: Bearer ${accounts[0]?.apiKey ?? ''}'`;
	return [
		`Mock of the lead service with ${DEFAULT_LEADS.toLocaleString('en')} made-up leads`,
		`  Base URL   ${baseUrl}`,
		...accounts.map(
			({ apiKey, apiCredits, sessionToken }) =>
				`  API key    ${apiKey}, with ${apiCredits.toLocaleString('en')} credits; session token ${sessionToken}`,
		),
		'',
		`POST ${PREVIEW_PATH} (free), ${SEARCH_PATH} and ${LOOKUP_PATH}, for example 3 leads for 3 credits:`,
		`  curl -s ${baseUrl}${SEARCH_PATH} -H 'Content-Type: application/json' ${authorization} -d '{"_per_page":3}'`,
		'',
		'Stop with Ctrl+C.',
	].join('\n');
}
