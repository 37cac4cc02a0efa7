/**
 * `npm run bench`: measures Lead Search, the least that a node has to pay, HTTP Request and undici. It
 * prints what got slower than in README.md in this folder, and writes the figures there. `-- --only search` (or `lookUp`) measures a part, and
 * `-- --quick` is a try with 2% of the leads: both leave the page alone.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import execa from 'execa';

import { buildPackage, pinnedVersion } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import { say } from '../sandbox/start/progress';
import { pageSize, startEnvironment, type Environment } from './environment';
import {
	leastRatios,
	seconds,
	slowerThan,
	subjects,
	tableOf,
	titleOf,
	withFigures,
} from './report';
import type { Case, Result, Run, Subject } from './report';

const page = join(projectFolder, 'bench', 'README.md');

export const cases: readonly Case[] = [
	// What a person waits for after Execute Step.
	{ kind: 'search', leads: 50, latencyMs: 150 },
	...[0, 150].flatMap((latencyMs): Case[] => [
		{ kind: 'search', leads: 10_000, latencyMs },
		{ kind: 'search', leads: 100_000, latencyMs },
		{ kind: 'lookUp', leads: 10_000, latencyMs },
	]),
];

export async function main(args: string[]): Promise<number> {
	const options = { quick: { type: 'boolean' }, only: { type: 'string' } } as const;
	const { quick = false, only } = parseArgs({ args, options }).values;
	const chosen = cases.filter(({ kind }) => only === undefined || kind === only);
	if (chosen.length === 0) throw new Error(`--only takes search or lookUp, not ${only}`);
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const environment = await startEnvironment();
	const results: Result[] = [];
	for (const one of quick ? chosen.map(fewer) : chosen) {
		say(titleOf(one));
		results.push(await measure(environment, one, quick ? 2 : 5));
	}
	await environment.stop();
	const table = tableOf(results);
	const slower = slowerThan(readFileSync(page, 'utf8'), table);
	const ratios = leastRatios(results).join('\n');
	process.stdout.write(`\n${table}\n\n${ratios}\n\n${quick ? '' : slower.join('\n')}\n`);
	if (quick || only !== undefined) return 0;
	const [day] = new Date().toISOString().split('T');
	const { stdout: commit } = await execa('git', ['describe', '--always'], { cwd: projectFolder });
	const measured = `Measured on ${day} at ${commit}, with n8n ${pinnedVersion('n8n')}.`;
	writeFileSync(page, withFigures(readFileSync(page, 'utf8'), `${measured}\n\n${table}`));
	await execa('prettier', ['--write', page], { cwd: projectFolder, preferLocal: true });
	return 0;
}

export function fewer(one: Case): Case {
	if (one.leads < pageSize) return one;
	return { ...one, leads: Math.max(1, Math.round(one.leads / 50 / pageSize)) * pageSize };
}

/**
 * Lets all subjects do the work in turns, so that whatever else the machine does hits all of them,
 * after a practice without waiting that doesn't count.
 */
export async function measure(environment: Environment, one: Case, times: number): Promise<Result> {
	const order = Object.keys(subjects) as Subject[];
	const runs: Record<Subject, Run[]> = { leadSearch: [], least: [], http: [], undici: [] };
	for (const subject of order) await environment.run(subject, { ...one, latencyMs: 0 });
	for (let round = 0; round < times; round++) {
		// Another one begins each time.
		const first = round % order.length;
		for (const subject of [...order.slice(first), ...order.slice(0, first)]) {
			const run = await environment.run(subject, one);
			runs[subject].push(run);
			say(`  ${round + 1} of ${times}  ${seconds(run.milliseconds)}  ${subjects[subject]}`);
		}
	}
	return { case: one, runs };
}
