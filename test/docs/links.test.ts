/** Checks that all relative links, images and anchors of the pages exist. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

const project = join(__dirname, '..', '..');
const folders = ['*', 'docs/*', 'bench/*', 'workflows/**/*'];

const pages = ts.sys
	.readDirectory(project, ['.md'], [], folders)
	.map((file) => relative(project, file));

const links = pages.flatMap((page) =>
	[...proseOf(page).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)]
		.map(([, link, source]) => link ?? source ?? '')
		.filter((link) => !/^[a-z]+:/i.test(link))
		.map((link) => ({ page, link })),
);

test.each(links)(
	'the link in $page to $link leads to a file, and to a heading',
	({ page, link }) => {
		const [path = '', anchor] = link.split('#');
		const target = path === '' ? page : join(dirname(page), path);
		expect(existsSync(join(project, target))).toBe(true);
		if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
	},
);

const tests = pages.flatMap((page) =>
	[...readFileSync(join(project, page), 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(
		([, test = '']) => ({ page, test }),
	),
);

test.each(tests)('$test, which $page names, exists', ({ test }) => {
	const names = [test, `${test}.test.ts`].map((name) => join(project, name));
	expect(names.some(existsSync)).toBe(true);
});

/** Returns a page without code, because code contains no links or headings. */
function proseOf(page: string): string {
	const text = readFileSync(join(project, page), 'utf8');
	return text
		.replace(/^ *```[^]*?^ *```/gm, '')
		.replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()<>]/g, ''));
}

function anchorsOf(page: string): string[] {
	return [...proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
		heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}
