/**
 * Promise 4 between days, in a real n8n with its own deduplication store: Already Looked Up leaves out
 * what earlier executions bought. The ledger of the service decides.
 */
import { randomUUID } from 'node:crypto';

import type { WorkflowNode } from '../../sandbox/n8n/index';
import {
	startService,
	urlsMatching,
	type Account,
	type AccountOptions,
	type LeadService,
} from '../../sandbox/service';
import { startLocalServer, type LocalServer } from '../workflows/localServer';
import { credentialOf, useN8n } from './harness';
import { publish } from './production';

const n8n = useN8n();
const people = urlsMatching({});

let service: LeadService;
/** Gives the URLs to look up, under the path of a list. */
let lists: LocalServer;
const urlsOfList = new Map<string, readonly string[]>();

beforeAll(async () => {
	service = await startService();
	lists = await startLocalServer(({ path }) => ({ urls: urlsOfList.get(path) ?? [] }));
});

afterAll(async () => {
	lists.close();
	await service.close();
});

/** A published workflow that looks up a list of URLs. */
async function open(urls: readonly string[], options: AccountOptions = {}, more = {}) {
	const account = service.admin.createAccount({ apiKey: `key-${randomUUID()}`, ...options });
	const { id, name } = await credentialOf(n8n.client, service, account);
	const path = `/${account.id}`;
	urlsOfList.set(path, urls);
	const fetchList: WorkflowNode = {
		name: 'List',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url: `${lists.url}${path}`, options: {} },
	};
	const lookUp: WorkflowNode = {
		name: 'Look Up',
		type: 'n8n-nodes-lead-search.leadSearch',
		typeVersion: 1,
		parameters: {
			resource: 'linkedInProfile',
			operation: 'buyProfiles',
			linkedinUrls: '={{ $json.urls }}',
			options: { alreadyLookedUp: 'leaveOut', onlyWithEmails: false, pageSize: 100_000 },
		},
		credentials: { leadSearchApi: { id, name } },
		...more,
	};
	const { run } = await publish(n8n, [fetchList, lookUp]);
	return { account, run, requests: () => requestsOf(account) };
}

function requestsOf({ id }: Account) {
	return service.admin
		.requests({ account: id })
		.map(({ body }) => (body as { linkedinUrls: string[] }).linkedinUrls);
}

test('a second execution with the same 100 URLs sends no request, after a restart too', async () => {
	const { run, account, requests } = await open(people.slice(0, 100));
	expect((await run()).items('Look Up')).toHaveLength(100);
	const second = await run();
	expect(second.status).toBe('success');
	expect(second.items('Look Up')).toEqual([]);
	await n8n.restart();
	const third = await run();
	expect(third.node('Look Up').hints.map(({ message }) => message)).toContain(
		'100 profiles were bought in earlier executions and left out. To get them again, set Already Looked Up to Look Up Again, which pays for them again.',
	);
	expect(requests()).toHaveLength(1);
	expect(account.spent.apiCredits).toBe(100);
});

test('after a 402 at 60 the next execution asks for exactly the other 40', async () => {
	const { run, account, requests } = await open(
		people.slice(0, 100),
		{ apiCredits: 60 },
		{ onError: 'continueErrorOutput' },
	);
	expect((await run()).items('Look Up')).toHaveLength(60);
	service.admin.setCredits(account.id, { apiCredits: 1_000 });
	const second = await run();
	expect(second.items('Look Up')).toHaveLength(40);
	expect(requests().at(-1)).toEqual(people.slice(60, 100));
	expect(account.spent.apiCredits).toBe(100);
});

test('Retry after a 402 delivers all 100, and they are remembered from then on', async () => {
	const { run, account, requests } = await open(people.slice(0, 100), { apiCredits: 60 });
	const failed = await run();
	expect(failed.status).toBe('error');
	service.admin.setCredits(account.id, { apiCredits: 1_000 });
	const retried = await n8n.client.retry(failed.id);
	expect(retried.items('Look Up')).toHaveLength(100);
	const sent = requests().length;
	expect((await run()).items('Look Up')).toEqual([]);
	expect(requests()).toHaveLength(sent);
	expect(account.spent.apiCredits).toBe(100);
});

test('100,000 URLs of which 40 % are not found: the second execution asks for those alone', async () => {
	const known = people.slice(0, 60_000);
	const unknown = Array.from({ length: 40_000 }, (_, index) => `${people[0] ?? ''}-no-${index}`);
	const { run, account, requests } = await open([...known, ...unknown]);
	expect((await run()).items('Look Up')).toHaveLength(60_000);
	const sent = requests().length;
	expect((await run()).items('Look Up')).toEqual([]);
	const again = requests().slice(sent);
	expect(again.length).toBeGreaterThan(0);
	// So long a list is logged by its ends and its count.
	const notFound = { count: 40_000, first: unknown[0], last: unknown.at(-1) };
	for (const urls of again) expect(urls).toEqual(notFound);
	expect(account.spent.apiCredits).toBe(60_000);
}, 180_000);
