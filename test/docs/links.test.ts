/** Checks that links to the project's own pages, in pages and in code, lead to existing files and headings. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

const project = join(__dirname, '..', '..');
const folders = ['*', 'docs/*', 'bench/*', 'workflows/**/*'];

const pages = ts.sys
	.readDirectory(project, ['.md'], [], folders)
	.map((file) => relative(project, file));

/** Links of the editor and of npm, which lead to the pages on GitHub. */
const repository = 'https://github.com/n8n-nodes-lead-search/n8n-nodes-lead-search';
const patterns = ['package.json', 'nodes/**/*', 'credentials/*', 'workflows/**/*', '.github/**/*'];
const linksInCode = ts.sys
	.readDirectory(project, ['.ts', '.json', '.yml'], [], patterns)
	.flatMap((file) =>
		readFileSync(file, 'utf8')
			.split(/[\s'"`()<>]+/)
			.filter((text) => text.startsWith(repository))
			.map((link) => link.slice(repository.length))
			.map((link) => link.replace('/blob/main/', '').replace(/^#/, 'README.md#'))
			.filter((link) => !/^(\.git)?$|^\/(issues|security)\b/.test(link))
			.map((link) => ({ page: relative(project, file), link, folder: '' })),
	);

test('links in the credential and in both nodes are found', () => {
	const files = new Set(linksInCode.map(({ page }) => page.replace(/.*[\\/]/, '')));
	expect([...files]).toEqual(
		expect.arrayContaining([
			'LeadSearchApi.credentials.ts',
			'LeadSearch.node.json',
			'LeadSearchTrigger.node.json',
		]),
	);
});

const linksInPages = pages.flatMap((page) =>
	[...proseOf(page).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)]
		.map(([, link, source]) => link ?? source ?? '')
		.filter((link) => !/^[a-z]+:/i.test(link))
		.map((link) => ({ page, link, folder: dirname(page) })),
);

test.each([...linksInCode, ...linksInPages])(
	'the link to $link in $page leads to an existing file and heading',
	({ page, link, folder }) => {
		const [path = '', anchor] = link.split('#');
		const target = path === '' ? page : join(folder, path);
		expect(existsSync(join(project, target))).toBe(true);
		if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
	},
);

const tests = pages.flatMap((page) =>
	[...readFileSync(join(project, page), 'utf8').matchAll(/`(test\/[\w./-]+)`/g)].map(
		([, test = '']) => ({ page, test }),
	),
);

test.each(tests)('the file $test exists, because $page names it', ({ test }) => {
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
