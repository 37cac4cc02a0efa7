import { parseArgs } from 'node:util';

import { groups } from './cases';

/** What `npm run bench` was asked for. */
export type Options = ReturnType<typeof readOptions>;

const fullRuns = 5;

/** What people can ask for. */
export const usage = `npm run bench -- [--only a,b] [--runs N] [--quick] [--save]

  --only a,b  only these parts: ${groups.join(', ')}
  --runs N    rounds that count (${fullRuns})
  --quick     a try: 2 rounds with 2% of the leads; no target is judged
  --save      put the figures into docs/performance.md
`;

/**
 * Reads the command line.
 * @throws TypeError for what isn't known, with words for the user
 */
export function readOptions(args: readonly string[]) {
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		args: [...args],
		options: {
			only: { type: 'string', default: groups.join() },
			runs: { type: 'string' },
			...{ quick: flag, save: flag, help: flag },
		},
	});
	const { quick, save, help } = values;
	const runs = Number(values.runs ?? (quick ? 2 : fullRuns));
	if (!Number.isInteger(runs) || runs < 1)
		throw new TypeError(`--runs takes a number from 1, not "${values.runs}"`);
	if (save && (quick || runs < fullRuns))
		throw new TypeError(`--save takes ${fullRuns} rounds of the real work, and nothing else`);
	const only = values.only.split(',').map((part) => part.trim());
	const unknown = only.find((part) => !groups.includes(part));
	if (unknown !== undefined) throw new TypeError(`--only takes ${groups.join()}, not "${unknown}"`);
	return { only, runs, quick, save, help };
}
