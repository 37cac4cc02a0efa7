import { parseArgs } from 'node:util';

import { groups, type Group } from './cells';

/** What `npm run bench` was asked for. */
export interface Options {
	/** Parts to run. */
	readonly only: readonly Group[];
	/** Runs of each contestant that count. */
	readonly runs: number;
	/** So many times the leads of the real thing. */
	readonly scale: number;
	/** Whether to measure memory, which takes a new n8n each time. */
	readonly memory: boolean;
	/** Write profiles of Lead Search instead of measuring. */
	readonly profile: boolean;
	/** Whether the figures go into `bench/results` and the page. */
	readonly save: boolean;
}

const allGroups = Object.keys(groups) as Group[];
const fullRuns = 5;
const quick = { runs: 2, scale: 0.02 };

export const usage = `npm run bench -- [--only a,c] [--runs N] [--quick] [--no-memory] [--profile] [--save]

  --only a,c   only these parts:
${allGroups.map((group) => `                 ${group}  ${groups[group]}`).join('\n')}
  --runs N     runs of each contestant (${fullRuns})
  --quick      a try: ${quick.runs} runs with 2% of the leads
  --no-memory  leave out peak memory, which takes an n8n of its own for each run
  --profile    write a .cpuprofile of Lead Search for each of the parts, and measure nothing
  --save       put the figures into bench/results and docs/performance.md; what runs in full
               does so by itself
`;

/**
 * Reads the command line.
 *
 * @throws TypeError for what isn't known, with words for the user.
 */
export function readOptions(args: readonly string[]): Options | 'help' {
	const { values } = parseArgs({
		args: [...args],
		allowNegative: true,
		options: {
			only: { type: 'string' },
			runs: { type: 'string' },
			quick: { type: 'boolean', default: false },
			memory: { type: 'boolean', default: true },
			profile: { type: 'boolean', default: false },
			save: { type: 'boolean' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return 'help';
	const only = readGroups(values.only);
	const runs = readRuns(values.runs ?? String(values.quick ? quick.runs : fullRuns));
	const { memory, profile } = values;
	const isFull =
		!values.quick && !profile && memory && runs >= fullRuns && only.length === allGroups.length;
	if (values.quick && values.save) {
		throw new TypeError('--save takes the work in full, so leave out --quick');
	}
	return {
		only,
		runs,
		scale: values.quick ? quick.scale : 1,
		memory,
		profile,
		save: values.save ?? isFull,
	};
}

function readGroups(text: string | undefined): readonly Group[] {
	if (text === undefined) return allGroups;
	const asked = text.split(',').map((part) => part.trim());
	const unknown = asked.find((part) => !allGroups.some((group) => group === part));
	if (unknown !== undefined) {
		throw new TypeError(`--only takes ${allGroups.join()}, not "${unknown}"`);
	}
	return allGroups.filter((group) => asked.includes(group));
}

function readRuns(text: string): number {
	if (/^[1-9]\d*$/.test(text)) return Number(text);
	throw new TypeError(`--runs takes a number from 1, not "${text}"`);
}
