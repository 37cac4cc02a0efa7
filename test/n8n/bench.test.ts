/** The bench itself, small: everybody does all of the work, in the real processes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { cases, scaled } from '../../bench/cases';
import { startEnvironment, type Environment } from '../../bench/environment';
import { measure } from '../../bench/main';
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

test.each(cases.filter(({ id }) => ['10ms', 'limited', 'urls'].includes(id)))(
	'$id: everybody does all of the work, and is timed',
	async (one) => {
		if (environment === undefined) throw new Error('The environment did not start');
		const { runs } = await measure(environment, scaled(one, 0.05), 1);
		expect(Object.keys(runs)).toEqual(one.subjects);
		for (const subject of one.subjects.filter((name) => name !== 'least'))
			expect(runs[subject]?.[0]?.milliseconds).toBeGreaterThanOrEqual(one.latencyMs);
	},
);
