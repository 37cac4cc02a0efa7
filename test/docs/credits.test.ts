import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(__dirname, '..', '..');
const page = readFileSync(join(project, 'docs', 'credits.md'), 'utf8');

/** Tests that the page names: file and title. */
const named = [...page.matchAll(/`(test\/[\w./]+\.test\.ts)` › (.+?)(?=<br>| *\|)/g)].map(
	([, file = '', title = '']) => [file, title] as const,
);

test('every promise of the page names at least one test', () => {
	const promises = page.split('\n').filter((line) => /^\| \d\. /.test(line));
	expect(promises).toHaveLength(8);
	for (const promise of promises) expect(promise).toContain('.test.ts` › ');
});

test.each(named)('%s has the test that the page names: %s', (file, title) => {
	const source = readFileSync(join(project, file), 'utf8');
	expect(source.includes(`'${title}'`) || source.includes(`\`${title}\``)).toBe(true);
});
