/** Publishes a search as a tool of an MCP server, and counts what its calls cost. */
import { randomUUID } from 'node:crypto';

import { credentialOf, leadSearch, type RunningN8n } from './harness';
import { addressOf, connect, publishMcpServer } from './mcpClient';

/**
 * Publishes a search for leads in a country that the client names.
 *
 * @param limits the most leads of a call, and the Credit Ceiling of the credential
 */
export async function openMcpSearch(
	n8n: RunningN8n,
	{ limit, creditCeiling }: { limit: number; creditCeiling: number },
) {
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, { ...account, creditCeiling });
	const named = { name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' };
	const filters = { personLocationCountry: "={{ $fromAI('country', '', 'string') }}" };
	const path = randomUUID();
	const tool = leadSearch({ filters, limit }, credential, named);
	await publishMcpServer(n8n, path, [tool]);
	const spent = () => account.spent.apiCredits;
	/** Opens a session, and resolves with the leads of a call. */
	const call = async (country: string) => {
		// The address changes when n8n is restarted.
		const session = await connect(await addressOf(n8n.server, path));
		const items = await session.call('Search_leads', { country });
		return items.filter(({ linkedin_url }) => linkedin_url !== undefined);
	};
	/** Resolves with the cost of a call. */
	const buy = async (country: string) => {
		const before = spent();
		await call(country);
		return spent() - before;
	};
	return { spent, call, buy };
}
