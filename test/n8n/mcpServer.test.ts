/**
 * Tests Lead Search as a tool behind an MCP Server Trigger. Executions shows an execution for each call, but a tool
 * that runs gets no execution from n8n, except in a worker of queue mode.
 */
import { randomUUID } from 'node:crypto';

import type { Fields } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { credentialOf, leadSearch, useN8n } from './harness';
import { connect, publishMcpServer } from './mcpClient';

const n8n = useN8n();

const fromModel = (name: string) => `={{ $fromAI('${name}', '', 'string') }}`;
const filters = { personLocationCountry: fromModel('country') };
const urls = urlsMatching({ person_location_country: ['Iceland'] });
const urlsOf = (response: readonly Fields[]) =>
	response.flatMap(({ linkedin_url }) => linkedin_url ?? []);

/** Publishes Search as a tool, and opens a session with it. */
async function open(parameters: Fields, creditCeiling?: number) {
	const account = n8n.service.admin.createAccount();
	const access = { ...account, ...(creditCeiling !== undefined && { creditCeiling }) };
	const credential = await credentialOf(n8n, access);
	const named = { name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' };
	const tool = leadSearch({ filters, limit: fromModel('limit'), ...parameters }, credential, named);
	const session = await connect(await publishMcpServer(n8n, randomUUID(), [tool]));
	const search = (limit: number | string, country = 'Iceland') =>
		session.call('Search_leads', { country, limit: String(limit) });
	return { session, search, spent: () => account.spent.apiCredits };
}

test('the description of an MCP tool says what a call costs at most, and nothing about all calls', async () => {
	const { session } = await open({});
	const [tool] = await session.tools();
	expect(tool?.name).toBe('Search_leads');
	expect(tool?.description).toContain('a call costs at most as many credits as its limit');
	expect(tool?.description).not.toMatch(/all calls|per execution/i);
});

test('MCP calls with limits of 20, 20, 25 and 50 cost 25 in total with Max Credits 25 and a Credit Ceiling of 30', async () => {
	const { search, spent } = await open({ maxCredits: 25 }, 30);
	const calls: Array<[number, number, unknown]> = [];
	for (const limit of [20, 20, 25, 50]) {
		const response = await search(limit);
		expect(urlsOf(response)).toEqual(urls.slice(0, Math.min(limit, 25)));
		calls.push([limit, spent(), response.at(-1)?.usage]);
	}
	expect(calls).toEqual([
		[20, 20, { credits: 20, creditsSoFar: 20, requests: 1 }],
		[20, 20, { credits: 0, creditsSoFar: 20, requests: 0 }],
		[25, 25, { credits: 5, creditsSoFar: 25, requests: 1 }],
		[50, 25, { credits: 0, creditsSoFar: 25, requests: 0 }],
	]);
	const [refusal] = (await search(5, 'Germany')).filter(({ error }) => error !== undefined);
	expect(refusal).toEqual({
		error: "'Max Credits' (25 credits) is spent, so nothing is returned",
		message: expect.stringContaining('all calls with this credential within 60 minutes') as string,
		details: { status: null, creditsSpent: 25, fetched: 0 },
	});
	expect(spent()).toBe(25);
});

test('an MCP call without a credential returns a message that says so, and nothing is sent', async () => {
	const { length } = n8n.service.admin.requests();
	const named = { name: 'Search leads', type: 'n8n-nodes-lead-search.leadSearchTool' };
	const tool = leadSearch({ filters, limit: fromModel('limit') }, undefined, named);
	const session = await connect(await publishMcpServer(n8n, randomUUID(), [tool]));
	const response = await session.call('Search_leads', { country: 'Iceland', limit: '5' });
	expect(response).toMatchObject([
		{
			error: 'No credential is chosen',
			message: expect.stringContaining('Choose a credential') as string,
		},
		{ usage: { credits: 0, requests: 0 } },
	]);
	expect(n8n.service.admin.requests()).toHaveLength(length);
});
