/**
 * `npm run bench`: measures Lead Search beside HTTP Request and undici, and puts the figures into
 * docs/performance.md. With `-- --quick` a try: 2% of the leads, and the page stays.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import execa from 'execa';

import { buildPackage, pinnedVersion } from '../sandbox/n8n';
import { projectFolder } from '../sandbox/paths';
import { say } from '../sandbox/start/progress';
import { pageSize, startEnvironment, type Environment } from './environment';
import { seconds, subjects, tableOf, titleOf, withFigures } from './report';
import type { Case, Result, Run, Subject } from './report';

const page = join(projectFolder, 'docs', 'performance.md');

export const cases = [0, 150].flatMap((latencyMs): Case[] => [
	{ kind: 'search', leads: 10_000, latencyMs },
	{ kind: 'search', leads: 100_000, latencyMs },
	{ kind: 'lookUp', leads: 10_000, latencyMs },
]);

export async function main(args: string[]): Promise<number> {
	const { values } = parseArgs({ args, options: { quick: { type: 'boolean' } } });
	say('Building the package');
	await buildPackage();
	say('Starting the lead service, n8n and undici');
	const environment = await startEnvironment();
	const results: Result[] = [];
	for (const one of values.quick ? cases.map(fewer) : cases) {
		say(titleOf(one));
		results.push(await measure(environment, one, values.quick ? 2 : 5));
	}
	await environment.stop();
	const table = tableOf(results);
	process.stdout.write(`\n${table}\n`);
	if (values.quick) return 0;
	const [day] = new Date().toISOString().split('T');
	const { stdout: commit } = await execa('git', ['describe', '--always'], { cwd: projectFolder });
	const measured = `Measured on ${day} at ${commit}, with n8n ${pinnedVersion('n8n')}.`;
	writeFileSync(page, withFigures(readFileSync(page, 'utf8'), `${measured}\n\n${table}`));
	await execa('prettier', ['--write', page], { cwd: projectFolder, preferLocal: true });
	return 0;
}

export function fewer(one: Case): Case {
	return { ...one, leads: Math.max(1, Math.round(one.leads / 50 / pageSize)) * pageSize };
}

/**
 * Lets all subjects do the work in turns, so that whatever else the machine does hits all of them,
 * after a practice without waiting that doesn't count.
 */
export async function measure(environment: Environment, one: Case, times: number): Promise<Result> {
	const order = Object.keys(subjects) as Subject[];
	const runs: Record<Subject, Run[]> = { leadSearch: [], http: [], undici: [] };
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
