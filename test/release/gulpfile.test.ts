/** What `npm run build` does beside the compiler, on a copy of the sources. */
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import execa from 'execa';

import { projectFolder, temporaryFolder } from '../../sandbox/paths';

const sources = ['credentials', 'nodes'];
let folder: string;

beforeAll(async () => {
	folder = await temporaryFolder();
	for (const name of sources)
		await cp(join(projectFolder, name), join(folder, name), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

async function gulp(task: string): Promise<void> {
	const gulpfile = join(projectFolder, 'gulpfile.js');
	const options = { cwd: projectFolder, preferLocal: true };
	await execa('gulp', ['--gulpfile', gulpfile, '--cwd', folder, task], options);
}

async function filesIn(root: string): Promise<Record<string, string>> {
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	const paths = entries
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
		.map((entry) => join(entry.parentPath, entry.name));
	const contents = await Promise.all(paths.map((path) => readFile(path, 'base64')));
	return Object.fromEntries(paths.map((path, at) => [path.slice(root.length), contents[at] ?? '']));
}

test('every file that the compiler leaves is copied, byte by byte', async () => {
	// No text: a picture that is read as one comes out as another.
	await writeFile(join(folder, 'nodes', 'LeadSearch', 'picture.png'), Buffer.from([0x89, 0xff]));
	await gulp('copy');
	for (const name of sources) {
		const copied = await filesIn(join(folder, 'dist', name));
		expect(Object.keys(copied)).not.toEqual([]);
		expect(copied).toEqual(await filesIn(join(folder, name)));
	}
});
