/** Tests the steps of `npm run build` after the compiler, on a copy of the sources. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import execa from 'execa';

import { projectFolder, temporaryFolder } from '../../sandbox/paths';

let folder: string;
beforeAll(async () => {
	folder = await temporaryFolder();
});
afterAll(() => {
	rmSync(folder, { recursive: true });
});

test.each(['credentials', 'nodes'])(
	"every file of %s that the compiler doesn't handle is copied unchanged",
	async (name) => {
		const copy = join(folder, name);
		cpSync(join(projectFolder, name), copy, { recursive: true });
		// These bytes aren't text, so the copy would differ if they were read as text.
		writeFileSync(join(copy, 'picture.png'), Buffer.from([0x89, 0xff]));
		const gulpfile = join(projectFolder, 'gulpfile.js');
		const options = { cwd: projectFolder, preferLocal: true };
		await execa('gulp', ['--gulpfile', gulpfile, '--cwd', folder, 'copy'], options);
		const files = readdirSync(copy, { recursive: true, withFileTypes: true })
			.filter((file) => file.isFile() && !file.name.endsWith('.ts'))
			.map((file) => join(file.parentPath, file.name));
		expect(files.length).toBeGreaterThan(1);
		for (const file of files)
			expect(readFileSync(file.replace(copy, join(folder, 'dist', name)))).toEqual(
				readFileSync(file),
			);
	},
);
