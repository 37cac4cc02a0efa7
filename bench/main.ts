/**
 * `npm run bench`: measures Lead Search, the least that a node has to pay, HTTP Request and undici. It prints which cases
 * are slower than in bench/README.md, and writes the figures to that page. `-- --only search` (or `searchPerItem`,
 * `lookUp`) measures a part. `-- --quick` uses 2 % of the leads. Neither of these changes the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import execa from 'execa';

import { buildPackage, pinnedVersion } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import { say } from '../sandbox/start/progress';
import { DEFAULT_PAGE_SIZE } from '../nodes/LeadSearch/paging/pages';
import { startEnvironment, type Environment } from './environment';
import {
	formatSeconds,
	findSlower,
	subjects,
	subjectsOf,
	formatTable,
	formatTitle,
	replaceFigures,
} from './report';
import type { Case, Result, Run, Subject } from './report';

const page = join(projectFolder, 'bench', 'README.md');

const withoutHttp = { without: ['http'] } as const;

/** All cases of the bench. Those with several pages are measured with the default of Page Size, and with 1,000. */
export const cases: readonly Case[] = [
	// The case of a user who waits after Execute Step.
	{ kind: 'search', leads: 50, latencyMs: 150, pageSize: DEFAULT_PAGE_SIZE },
	...[DEFAULT_PAGE_SIZE, 1_000].flatMap((pageSize): Case[] => [
		{ kind: 'search', leads: 10_000, latencyMs: 0, pageSize },
		{ kind: 'search', leads: 100_000, latencyMs: 0, pageSize },
		{ kind: 'lookUp', leads: 10_000, latencyMs: 0, pageSize, ...withoutHttp },
		{ kind: 'lookUp', leads: 100_000, latencyMs: 0, pageSize, ...withoutHttp },
		{ kind: 'search', leads: 10_000, latencyMs: 150, pageSize },
		{ kind: 'search', leads: 6_000, latencyMs: 0, pageSize, isWide: true },
	]),
	// With pages of 100, these would take many minutes.
	{ kind: 'search', leads: 100_000, latencyMs: 150, pageSize: 1_000, ...withoutHttp },
	{ kind: 'lookUp', leads: 10_000, latencyMs: 150, pageSize: 1_000, ...withoutHttp },
	{ kind: 'lookUp', leads: 100_000, latencyMs: 150, pageSize: 1_000, ...withoutHttp },
	// HTTP Request sends one LinkedIn URL at a time.
	{ kind: 'lookUp', leads: 1_000, latencyMs: 0, pageSize: DEFAULT_PAGE_SIZE },
	// The programs of the other two subjects have no such workload.
	{
		kind: 'searchPerItem',
		leads: 3_000,
		latencyMs: 0,
		pageSize: DEFAULT_PAGE_SIZE,
		without: ['least', 'undici'],
	},
];

/** Runs the bench. @returns the exit code */
export async function main(args: string[]): Promise<number> {
	const options = { quick: { type: 'boolean' }, only: { type: 'string' } } as const;
	const { quick = false, only } = parseArgs({ args, options }).values;
	const chosen = cases.filter(({ kind }) => only === undefined || kind === only);
	if (chosen.length === 0)
		throw new Error(`--only must be search, searchPerItem or lookUp, not ${only}`);
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const environment = await startEnvironment();
	const results: Result[] = [];
	for (const workload of quick ? chosen.map(reduceLeads) : chosen) {
		say(formatTitle(workload));
		const result = await measure(environment, workload, quick ? 2 : 5);
		results.push(result);
		// A later case may fail.
		process.stdout.write(`${formatTable([result])}\n`);
	}
	await environment.stop();
	const table = formatTable(results);
	const slower = findSlower(readFileSync(page, 'utf8'), table);
	process.stdout.write(`\n${table}\n\n${quick ? '' : slower.join('\n')}\n`);
	if (quick || only !== undefined) return 0;
	const [day] = new Date().toISOString().split('T');
	const { stdout: commit } = await execa('git', ['describe', '--always'], { cwd: projectFolder });
	const measured = `Measured on ${day} at ${commit}, with n8n ${pinnedVersion('n8n')}.`;
	writeFileSync(page, replaceFigures(readFileSync(page, 'utf8'), `${measured}\n\n${table}`));
	await execa('prettier', ['--write', page], { cwd: projectFolder, preferLocal: true });
	return 0;
}

/** Returns a case with 2 % of the leads, in whole pages. */
export function reduceLeads(workload: Case): Case {
	const { pageSize } = workload;
	if (workload.leads < pageSize) return workload;
	return { ...workload, leads: Math.max(1, Math.round(workload.leads / 50 / pageSize)) * pageSize };
}

/**
 * Measures a case for all subjects. They take turns, so that other load on the machine affects all of them. A first
 * run without latency warms up and isn't counted.
 */
export async function measure(
	environment: Environment,
	workload: Case,
	times: number,
): Promise<Result> {
	const order = subjectsOf(workload);
	const runs: Record<Subject, Run[]> = { leadSearch: [], least: [], http: [], undici: [] };
	for (const subject of order) await environment.run(subject, { ...workload, latencyMs: 0 });
	for (let round = 0; round < times; round++) {
		// Each round starts with another subject.
		const first = round % order.length;
		for (const subject of [...order.slice(first), ...order.slice(0, first)]) {
			const run = await environment.run(subject, workload);
			runs[subject].push(run);
			say(`  ${round + 1} of ${times}  ${formatSeconds(run.milliseconds)}  ${subjects[subject]}`);
		}
	}
	return { case: workload, runs };
}
