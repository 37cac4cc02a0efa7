/** Holds the pictures to the pages that show them, and to `npm run screenshots`, which makes them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { scenes } from '../../sandbox/browser/scenes';
import { projectFolder } from '../../sandbox/paths';

const docs = readdirSync(join(projectFolder, 'docs')).filter((name) => name.endsWith('.md'));
const pages = ['README.md', ...docs.map((name) => join('docs', name))];

/** Pictures as the pages show them. */
const shown = pages.flatMap((page) =>
	[...readFileSync(join(projectFolder, page), 'utf8').matchAll(/<img [^>]*>/g)].map(([tag]) => ({
		page,
		path: join(dirname(page), /src="([^"]+)"/.exec(tag)?.[1] ?? ''),
		tag,
	})),
);

test.each(shown)('$page: $path is there, and is described', ({ path, tag }) => {
	expect(existsSync(join(projectFolder, path))).toBe(true);
	expect(tag).toMatch(/ alt="[^"]{20,}"/);
	expect(tag).toMatch(/ width="\d+"/);
});

test('every picture is made by npm run screenshots, and shown on a page', () => {
	const made = Object.keys(scenes).map((name) => join('docs', 'images', `${name}.png`));
	const kept = readdirSync(join(projectFolder, 'docs', 'images')).map((name) =>
		join('docs', 'images', name),
	);
	expect(kept.sort()).toEqual(made.sort());
	expect([...new Set(shown.map(({ path }) => path))].sort()).toEqual(made);
});
