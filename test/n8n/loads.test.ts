/** Tests that the packed file can be installed in n8n, and that it contains only what users need. */
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import execa from 'execa';

import { packPackage, type PackedPackage } from '../../sandbox/n8n/index';
import { projectFolder, temporaryFolder } from '../../sandbox/paths';
import { credentialOf, useN8n } from './harness';

/** Runs the command of docs/install.md, in the folder of the packed file, as a user with a new home. */
async function installAsPageSays(home: string, { filename }: PackedPackage): Promise<void> {
	const page = await readFile(join(projectFolder, 'docs', 'install.md'), 'utf8');
	const [command = ''] = /^npm install .* ~\/\.n8n\/nodes .*\.tgz$/m.exec(page) ?? [];
	expect(command).not.toBe('');
	const env = { HOME: home, npm_config_offline: 'true' };
	await execa(command, { shell: 'sh', cwd: dirname(filename), env });
}

const n8n = useN8n({}, { install: installAsPageSays });

test('the packed file adds the nodes and the credential if it is installed as docs/install.md says', async () => {
	const names = (await n8n.client.nodeTypes()).map(({ name }) => name);
	for (const name of ['leadSearch', 'leadSearchTrigger'])
		expect(names).toContain(`n8n-nodes-lead-search.${name}`);
	const saved = await credentialOf(n8n, { apiKey: 'key' });
	expect(saved).toMatchObject({ type: 'leadSearchApi' });
});

test('the package on npm contains the built files, the licence and the readme, and nothing else', async () => {
	const folder = await temporaryFolder();
	const { files } = await packPackage(folder);
	await rm(folder, { recursive: true });
	const paths = files.map(({ path }) => path);
	const others = paths.filter((path) => !/^dist\/(nodes|credentials)\//.test(path));
	expect(others.length).toBeLessThan(paths.length);
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
});
