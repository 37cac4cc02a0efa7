import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packed, scan, sources } from '../../sandbox/release/scan';

let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'lead-search-scan-'));
	await mkdir(join(folder, 'nodes'));
});

afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
});

const disabled = '/* eslint-disable */\n';

test('the scan finds what n8n Cloud forbids, and takes no eslint-disable', async () => {
	await writeFile(join(folder, 'nodes', 'wait.ts'), `${disabled}setTimeout(() => {}, 1);\n`);
	const manifest = { scripts: { postinstall: 'x' }, dependencies: { axios: '1' } };
	await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
	const problems = (await scan(folder, sources)).join();
	expect(problems).toContain('no-restricted-globals');
	expect(problems).toContain('no-forbidden-lifecycle-scripts');
	expect(problems).toContain('no-runtime-dependencies');
}, 30_000);

test('the scan of the tarball reads what was built', async () => {
	await writeFile(join(folder, 'nodes', 'log.js'), `${disabled}console.log(1);\n`);
	expect((await scan(folder, packed)).join()).toContain('no-console');
}, 30_000);
