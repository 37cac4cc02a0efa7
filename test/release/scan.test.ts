import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { scanSources, scanTarball } from '../../sandbox/release/scan';

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
	const { problems } = await scanSources(folder);
	expect(problems.join()).toContain('no-restricted-globals');
}, 30_000);

test('the scan reads package.json', async () => {
	await writeFile(join(folder, 'package.json'), '{ "scripts": { "postinstall": "x" } }\n');
	const { problems } = await scanSources(folder);
	expect(problems.join()).toContain('no-forbidden-lifecycle-scripts');
}, 30_000);

test('the scan of the tarball reads what was built', async () => {
	await writeFile(join(folder, 'nodes', 'log.js'), `${disabled}console.log(1);\n`);
	const { problems } = await scanTarball(folder);
	expect(problems.join()).toContain('no-console');
}, 30_000);

test('the scan passes where there is nothing to find', async () => {
	await writeFile(join(folder, 'nodes', 'add.ts'), 'export const one = 1;\n');
	expect((await scanSources(folder)).problems).toEqual([]);
}, 30_000);
