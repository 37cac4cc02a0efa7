/**
 * `npm run screenshots`: takes the pictures of the documentation anew, from a real n8n with the
 * package in it, and puts them into `docs/images`.
 *
 *     npm run screenshots -- [names of pictures; all unless given]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../paths';
import { takePicture } from './picture';
import { scenes } from './scenes';
import { startFixture } from './fixture';

const imageFolder = join(projectFolder, 'docs', 'images');

async function main(names: readonly string[]): Promise<void> {
	const unknown = names.find((name) => !Object.hasOwn(scenes, name));
	if (unknown !== undefined) {
		throw new Error(`No picture is called ${unknown}, only ${Object.keys(scenes).join(', ')}`);
	}
	mkdirSync(imageFolder, { recursive: true });
	process.stdout.write('Starting n8n, the mock of the lead service, and Chromium\n');
	const fixture = await startFixture({ scale: 1.5 });
	try {
		for (const [name, setUp] of Object.entries(scenes)) {
			if (names.length > 0 && !names.includes(name)) continue;
			// So wide that a table has room beside the parameters.
			await fixture.editor.resize(1_720, 1_300);
			const subject = await setUp(fixture);
			await takePicture(fixture.editor, join(imageFolder, `${name}.png`), subject);
			process.stdout.write(`docs/images/${name}.png\n`);
		}
	} finally {
		await fixture.close();
	}
}

main(process.argv.slice(2)).catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
