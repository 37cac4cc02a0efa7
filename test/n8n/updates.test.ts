/**
 * Updates of the package in a real n8n: on n8n's page of community nodes, without a restart; to a version that saves its
 * data in formats that this one doesn't know, and back. n8n is stopped while searches run. The ledger of the service says
 * what was charged.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

import { createUserFolder, findInstallation } from '../../sandbox/n8n/index';
import type { Execution, PackedPackage } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { urlsMatching } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, leadSearch, useN8n } from './harness';
import { onceAYear, openPolling, perBatch, type Polling } from './polls';
import { publish } from './production';

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
const icelanders = urlsMatching({ person_location_country: ['Iceland'] });
const unreadable = /position can't be read/;

/** The lines that define the version of a saved format, in the built package. */
const formats = [
	['cache/retryData.js', 'const FORMAT = 1;', 'const FORMAT = 2;'],
	['trigger/cursor.js', 'const VERSION = 1;', 'const VERSION = 2;'],
] as const;

/** Installs this version of the package, or one with other formats. n8n loads it when it starts again. */
async function install(version: 'this' | 'other'): Promise<void> {
	const folder = join(n8n.server.userFolder, '.n8n', 'nodes', 'node_modules');
	const built = join(folder, 'n8n-nodes-lead-search', 'dist', 'nodes', 'LeadSearch');
	for (const [file, own, others] of formats) {
		const [from, to] = version === 'other' ? [own, others] : [others, own];
		const code = await readFile(join(built, file), 'utf8');
		expect(code).toContain(from);
		await writeFile(join(built, file), code.replace(from, to));
	}
}

/** A search that fails when the 60 credits of its account have run out. */
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
	const retry = async () => {
		const retried = await n8n.client.retry(failed.id);
		return { retried, spent: account.spent.apiCredits, warnings: await warningsOf(retried) };
	};
	return { id: failed.id, retry };
}

/** The warnings of an execution in n8n's log. */
async function warningsOf({ id }: Execution): Promise<string[]> {
	const lines = (await readFile(n8n.server.logFile, 'utf8')).split('\n');
	return lines
		.filter((line) => line.startsWith('{'))
		.map(
			(line) =>
				JSON.parse(line) as { level: string; message: string; metadata?: { executionId?: string } },
		)
		.filter(({ level, metadata }) => level === 'warn' && metadata?.executionId === id)
		.map(({ message }) => message);
}

/** Starts a search of pages that take a second each, and waits for the second one. */
async function startPull(pages: number) {
	const { admin } = n8n.service;
	const account = admin.createAccount();
	admin.addFault({ kind: 'latency', ms: 1_000, times: 'always', account: account.id });
	const credential = await credentialOf(n8n, account);
	const options = { pageSize: 25, parallelPages: 1 };
	const search = leadSearch({ filters, limit: 25 * pages, options }, credential);
	const { start } = await publish(n8n, [search]);
	const id = await start();
	await admin.waitForRequest((request) => request.account === account.id && request.page === 2);
	const charged = () => account.spent.apiCredits / 25;
	return { id, charged, before: charged() };
}

/** The costs of the same search before and after an update on n8n's page of community nodes. */
const costs: number[] = [];

async function updateWithoutRestart(): Promise<void> {
	const name = 'n8n-nodes-lead-search';
	await n8n.client.call('POST', '/community-packages', { name });
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, account);
	const { run } = await publish(n8n, [leadSearch({ filters, limit: 50 }, credential)]);
	const pull = await startPull(4);
	for (const isUpdated of [false, false, true]) {
		if (isUpdated) await n8n.client.call('PATCH', '/community-packages', { name });
		const before = account.spent.apiCredits;
		expect((await run()).status).toBe('success');
		costs.push(account.spent.apiCredits - before);
	}
	console.log(
		'pull',
		JSON.stringify(await n8n.client.waitForExecution(pull.id)).slice(0, 300),
		pull.charged(),
	);
}

type Retried = Awaited<ReturnType<Awaited<ReturnType<typeof failSearch>>['retry']>>;
const retries: Record<string, Retried> = {};
const polls: Record<string, { requests: number; failures: string[] }> = {};
let kept: Polling;
let copied: Polling;

/** Waits until polls have failed so many times. */
async function untilFailed({ failures, requests }: Polling, times: number) {
	const failed = await until('polls have failed', async () => {
		const all = await failures();
		return all.length >= times && all;
	});
	return { requests: requests(), failures: failed };
}

beforeAll(async () => {
	await updateWithoutRestart();
	const [updated, damaged] = [await failSearch(), await failSearch()];
	kept = await openPolling(n8n);
	await kept.publish({ times: onceAYear });
	await kept.untilDelivered(1);

	const short = await startPull(4);
	const long = await startPull(20);
	await install('other');
	await n8n.restart();
	for (const [name, pull] of Object.entries({ short, long })) {
		const ended = await n8n.client.waitForExecution(pull.id).catch(String);
		console.log(name, pull.before, pull.charged(), JSON.stringify(ended).slice(0, 600));
	}
	retries['of an older version'] = await updated.retry();
	const downgraded = await failSearch();
	// At its own start, n8n polls once. It polls on the schedule when the workflow is published again.
	await untilFailed(kept, 1);
	await kept.publish({ batches: 2 });
	polls['of an older version'] = await untilFailed(kept, 2);
	const started = await openPolling(n8n);
	await started.publish({ times: onceAYear });
	await started.untilDelivered(1);

	await install('this');
	await n8n.restart();
	retries['of a newer version'] = await downgraded.retry();
	const text = (format: string) => `'{\\"format\\":${format},'`;
	await query(
		n8n.server.database,
		`UPDATE execution_data SET data = replace(data, ${text('1')}, ${text('')}) WHERE "executionId" = ${damaged.id}`,
	);
	retries['that is damaged'] = await damaged.retry();
	polls['of a newer version'] = await untilFailed(started, 1);
	// The advice of the message.
	copied = await openPolling(n8n);
	await copied.publish({ skip: perBatch, batches: 1 });
	await copied.untilDelivered(2);
	await kept.untilDelivered(2);
});

test('an update on the page of community nodes empties the cache', () => {
	expect(costs).toEqual([50, 0, 50]);
});

test.each(['of an older version', 'of a newer version', 'that is damaged'])(
	'a Retry with saved results %s buys everything again, and its log says so',
	(kind) => {
		const { retried, spent, warnings } = retries[kind] ?? {};
		expect(retried?.status).toBe('success');
		const urls = retried?.items('Lead Search').map(({ json }) => json.linkedin_url);
		expect(urls).toEqual(icelanders.slice(0, 80));
		expect(spent).toBe(140);
		expect(warnings).toEqual([expect.stringContaining('unknown format')]);
		const hints = retried?.node('Lead Search').hints.map(({ message }) => message);
		expect(hints).toEqual([expect.stringMatching(/^80 leads for 80 credits/)]);
		expect(hints?.join(' ')).not.toMatch(/cost nothing/);
	},
);

test.each(['of an older version', 'of a newer version'])(
	'a trigger with a cursor %s sends nothing, and says so',
	(kind) => {
		const { requests, failures = [] } = polls[kind] ?? {};
		expect(requests).toBe(1);
		expect(failures.length).toBeGreaterThan(0);
		for (const failure of failures) expect(failure).toMatch(unreadable);
	},
);

test('after the way back, the trigger goes on at its cursor', async () => {
	for (const batches of [kept.charged(), await kept.delivered()]) expect(batches).toEqual([1, 2]);
});

test('a copy of the workflow, with the Skip that its log names, goes on as well', async () => {
	for (const batches of [copied.charged(), await copied.delivered()]) expect(batches).toEqual([2]);
});
