/** Every relative link, picture and anchor of the pages leads somewhere. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const project = join(__dirname, '..', '..');

const pages = [
	...pagesIn('.'),
	...pagesIn('docs'),
	...pagesIn('bench'),
	...pagesIn('workflows'),
	...readdirSync(join(project, 'workflows')).flatMap((name) => pagesIn(join('workflows', name))),
];

const links = pages.flatMap((page) =>
	[...proseOf(page).matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)]
		.map(([, link, source]) => link ?? source ?? '')
		.filter((link) => !/^[a-z]+:/i.test(link))
		.map((link) => ({ page, link })),
);

test.each(links)('$page: $link', ({ page, link }) => {
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? page : join(dirname(page), path);
	expect(existsSync(join(project, target))).toBe(true);
	if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
});

function pagesIn(folder: string): string[] {
	const path = join(project, folder);
	if (!statSync(path).isDirectory()) return [];
	return readdirSync(path)
		.filter((name) => name.endsWith('.md'))
		.map((name) => relative(project, join(path, name)));
}

/** A page without its code, in which nothing is a link or a heading. */
function proseOf(page: string): string {
	const text = readFileSync(join(project, page), 'utf8');
	return text
		.replace(/^ *```[^]*?^ *```/gm, '')
		.replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()<>]/g, ''));
}

function anchorsOf(page: string): string[] {
	const seen = new Map<string, number>();
	return [...proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
		const anchor = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-');
		const repeated = seen.get(anchor) ?? 0;
		seen.set(anchor, repeated + 1);
		return repeated === 0 ? anchor : `${anchor}-${repeated}`;
	});
}
