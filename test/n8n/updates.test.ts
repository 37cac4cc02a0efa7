/**
 * Tests updates of the package in a real n8n. One is made on n8n's page of community nodes, without a restart. Another one
 * installs a version with formats that this version doesn't know, and is undone. Searches run while n8n is stopped or
 * killed. The mock service counts the charges.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

import { createUserFolder, findInstallation } from '../../sandbox/n8n/index';
import type { Execution, PackedPackage } from '../../sandbox/n8n/index';
import { urlsMatching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { openMcpSearch } from './mcpSearch';
import { onceAYear, openPolling, type Polling } from './polls';
import { publish } from './production';
import { startSlowSearch, type SlowSearch } from './slowSearch';

const npmFolder = join(tmpdir(), `lead-search-npm-${randomUUID()}`);

/** The command npm that n8n runs for its page of community nodes. Its registry has one package. */
const npm = `#!/bin/sh
case "$1" in
	view) echo '"0.1.0"' ;;
	pack) cp ${npmFolder}/package.tgz . && echo package.tgz ;;
esac
`;

async function installWithNpm(userFolder: string, packed: PackedPackage): Promise<void> {
	await createUserFolder(userFolder, packed);
	await mkdir(npmFolder);
	await copyFile(packed.filename, join(npmFolder, 'package.tgz'));
	await writeFile(join(npmFolder, 'npm'), npm, { mode: 0o755 });
}

const env = {
	N8N_LOG_FORMAT: 'json',
	PATH: [npmFolder, dirname(findInstallation().node), process.env.PATH].join(delimiter),
	// n8n asks npm's registry and n8n GmbH for the package first. Nothing listens on this port.
	HTTPS_PROXY: 'http://127.0.0.1:9',
};
const n8n = useN8n(env, { install: installWithNpm });
afterAll(() => rm(npmFolder, { recursive: true, force: true }));
const filters = { personLocationCountry: 'Iceland' };
const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });
const unreadable = /position can't be read/;

/** Installs this version of the package, or one with other formats. n8n loads it when it starts again. */
async function install(version: 'this' | 'other'): Promise<void> {
	const folder = join(n8n.server.userFolder, '.n8n', 'nodes', 'node_modules');
	const built = join(folder, 'n8n-nodes-lead-search', 'dist', 'nodes', 'LeadSearch');
	const file = join(built, 'spending', 'savedData.js');
	const code = await readFile(file, 'utf8');
	const versions = [
		'{ spending: 2, retryData: 2, cursors: 2 }',
		'{ spending: 3, retryData: 3, cursors: 3 }',
	];
	const [from = '', to = ''] = version === 'other' ? versions : versions.reverse();
	expect(code).toContain(from);
	await writeFile(file, code.replace(from, to));
}

/** Runs a search that fails because the 60 credits of its account run out. Resolves with its Retry. */
async function failSearch() {
	const account = n8n.service.admin.createAccount({ apiCredits: 60, leads: 80 });
	const credential = await credentialOf(n8n, account);
	const options = { pageSize: 25, parallelPages: 1 };
	const { run } = await publish(n8n, [
		leadSearch({ filters, returnAll: true, options }, credential),
	]);
	const failed = await run();
	expect([failed.status, account.spent.apiCredits]).toEqual(['error', 60]);
	n8n.service.admin.setCredits(account.id, { apiCredits: 1_000 });
	return async () => {
		const execution = await n8n.client.retry(failed.id);
		return { execution, spent: account.spent.apiCredits };
	};
}

interface LogLine {
	level: string;
	message: string;
	metadata?: { workflowId?: string; executionId?: string };
}

/** Returns the lines of the nodes in n8n's log since its last start. */
async function readLog(): Promise<LogLine[]> {
	return (await readFile(n8n.server.logFile, 'utf8'))
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line) as LogLine)
		.filter(({ message }) => message.startsWith('Lead Search'));
}

/** The results of an update on n8n's page of community nodes. */
interface Update {
	/** The costs of three equal searches: the first, the second, and one after the update. */
	costs: number[];
	/** The costs of MCP calls with a Credit Ceiling: for all of its credits, for more, and after the update. */
	mcpCosts: number[];
	/** A search that was running during the update. */
	search: SlowSearch;
	/** The log line about the first poll after the update. */
	poll: string;
}
let update: Update;

async function updateWithoutRestart(): Promise<Update> {
	const name = 'n8n-nodes-lead-search';
	await n8n.client.call('POST', '/community-packages', { name });
	const polling = await openPolling(n8n);
	await polling.publish({ batches: 1 });
	await polling.untilDelivered(1);
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, account);
	const { run } = await publish(n8n, [leadSearch({ filters, limit: 50 }, credential)]);
	const costs: number[] = [];
	const buy = async () => {
		const before = account.spent.apiCredits;
		expect((await run()).status).toBe('success');
		costs.push(account.spent.apiCredits - before);
	};
	await buy();
	await buy();
	const mcp = await openMcpSearch(n8n, { limit: 30, creditCeiling: 30 });
	const mcpCosts = [await mcp.buy('Iceland'), await mcp.buy('Germany')];
	const search = await startSlowSearch(n8n, 4);
	const lines = async () =>
		(await readLog()).filter(({ metadata }) => metadata?.workflowId === polling.id);
	const { length } = await lines();
	await n8n.client.call('PATCH', '/community-packages', { name });
	await buy();
	mcpCosts.push(await mcp.buy('Iceland'));
	const poll = await until('the trigger has polled', async () => (await lines())[length]?.message);
	return { costs, mcpCosts, search, poll };
}

let retried: { execution: Execution; spent: number };
let polled: { requests: number; failures: string[] };
let searches: Record<'short' | 'long', SlowSearch>;
let killed: { before: Execution; after: Execution; chargedBefore: number; charged: number };
let upgraded: Polling;

/** Waits until a poll has failed. */
async function untilFailed({ failures, requests }: Polling) {
	const failed = await until('a poll has failed', async () => {
		const all = await failures();
		return all.length > 0 && all;
	});
	return { requests: requests(), failures: failed };
}

beforeAll(async () => {
	update = await updateWithoutRestart();
	const retry = await failSearch();
	upgraded = await openPolling(n8n);
	await upgraded.publish({ times: onceAYear });
	await upgraded.untilDelivered(1);

	searches = { short: await startSlowSearch(n8n, 4), long: await startSlowSearch(n8n, 20) };
	await install('other');
	await n8n.restart();
	retried = await retry();
	// n8n polls once when it starts. It polls on the schedule once the workflow is published again.
	await untilFailed(upgraded);
	await upgraded.publish({ batches: 2 });
	await until('polls have logged the same again', async () => {
		const lines = (await readLog()).filter(({ metadata }) => metadata?.workflowId === upgraded.id);
		return lines.filter(({ message }) => message.includes("position can't be read")).length > 3;
	});
	polled = await untilFailed(upgraded);

	const { id, charged } = await startSlowSearch(n8n, 6);
	await n8n.server.kill();
	await install('this');
	await n8n.restart();
	n8n.service.admin.clearFaults();
	const chargedBefore = charged();
	const before = await n8n.client.waitForExecution(id);
	const after = await n8n.client.retry(id);
	killed = { before, after, chargedBefore, charged: charged() };
	await upgraded.untilDelivered(2);
}, 600_000);

describe('An update on the page of community nodes', () => {
	test('an update of the package without a restart empties the cache, so the same search costs everything again', () => {
		expect(update.costs).toEqual([50, 0, 50]);
	});

	test('MCP calls may spend the Credit Ceiling again after an update of the package without a restart', () => {
		expect(update.mcpCosts).toEqual([30, 0, 30]);
	});

	test('a search that runs during an update of the package gets all of its leads', async () => {
		const { status, items } = await n8n.client.execution(update.search.id);
		expect([status, items('Lead Search').length, update.search.charged()]).toEqual([
			'success',
			100,
			4,
		]);
	});

	test('the next poll after an update of the package continues at the cursor, and is not treated as an activation', () => {
		expect(update.poll).toContain("'Max Credits in Total' (20) is spent");
	});
});

describe('A stop of n8n during a search', () => {
	test('a search that ends within the graceful shutdown of n8n is saved', async () => {
		const { id, charged } = searches.short;
		const { status, items } = await n8n.client.execution(id);
		expect([status, items('Lead Search').length, charged()]).toEqual(['success', 100, 4]);
	});

	test('a search that is longer than the graceful shutdown of n8n buys until then, and its leads are lost', async () => {
		const { id, before, charged } = searches.long;
		const { status, items } = await n8n.client.execution(id);
		expect([status, items('Lead Search')]).toEqual(['crashed', []]);
		expect(charged()).toBeGreaterThan(before + 1);
		expect(charged()).toBeLessThan(20);
	});
});

test('the leads of a search are lost if n8n is killed during it, and a Retry buys all of them again', () => {
	const { before, after, chargedBefore, charged } = killed;
	expect([before.status, before.items('Lead Search')]).toEqual(['crashed', []]);
	expect(chargedBefore).toBeGreaterThanOrEqual(1);
	expect([after.status, after.items('Lead Search').length]).toEqual(['success', 150]);
	expect(charged - chargedBefore).toBe(6);
});

test('a Retry with saved results of an older version pays for all leads again, and a hint says so', () => {
	const { execution, spent } = retried;
	expect(execution.status).toBe('success');
	const urls = execution.items('Lead Search').map(({ json }) => json.linkedin_url);
	expect(urls).toEqual(icelandUrls.slice(0, 80));
	expect(spent).toBe(140);
	const hints = execution.node('Lead Search').hints.map(({ message }) => message);
	expect(hints).toEqual([
		expect.stringMatching(/^80 leads for 80 credits/),
		expect.stringContaining('are in another format'),
	]);
});

test('a trigger with a cursor of an older version sends nothing, and fails once with a message that says so', () => {
	expect(polled).toEqual({ requests: 1, failures: [expect.stringMatching(unreadable)] });
});

test('a trigger continues at its cursor once the version is back that saved it', async () => {
	for (const batches of [upgraded.charged(), await upgraded.delivered()])
		expect(batches).toEqual([1, 2]);
});
