/** The bench itself, small: everybody does all of the work, in the real processes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startEnvironment, type Environment } from '../../bench/environment';
import { cases, fewer, measure } from '../../bench/main';
import { temporaryFolder } from '../../sandbox/paths';

let folder: string;
let environment: Environment | undefined;

jest.setTimeout(300_000);

beforeAll(async () => {
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	folder = await temporaryFolder();
	environment = await startEnvironment(join(folder, 'n8n'));
});

afterAll(async () => {
	await environment?.stop();
	await rm(folder, { recursive: true, force: true });
	jest.restoreAllMocks();
});

test.each(cases.filter(({ latencyMs, leads }) => latencyMs > 0 && leads === 10_000).map(fewer))(
	'$kind: everybody does all of the work, and is timed',
	async (one) => {
		if (environment === undefined) throw new Error('The environment did not start');
		const { runs } = await measure(environment, one, 1);
		for (const [run] of Object.values(runs))
			expect(run?.milliseconds).toBeGreaterThanOrEqual(one.latencyMs);
	},
);
