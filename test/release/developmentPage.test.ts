/** Holds docs/development.md to the project. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../sandbox/paths';
import { manifest, read } from './project';

const page = read('docs/development.md');

/** The pages with commands that people type. */
const pages = ['docs/development.md', 'CONTRIBUTING.md', 'README.md', 'docs/failures.md'];

/** npm runs these without `run`. */
const short = ['test', 'start'];

const commands = pages.flatMap((file) =>
	[...read(file).matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(test|start)\b)/g)].map(
		([command, long, plain]) => ({ file, command, script: long ?? plain ?? '' }),
	),
);

test.each(commands)('$file: $command is a script of package.json', ({ script }) => {
	expect(Object.keys(manifest.scripts ?? {})).toContain(script);
});

test('the page names every script of package.json', () => {
	const named = commands
		.filter(({ file }) => file === 'docs/development.md')
		.map(({ script }) => script);
	expect(named).toEqual(expect.arrayContaining(Object.keys(manifest.scripts ?? {})));
	expect(named).toEqual(expect.arrayContaining(short));
});

test('the page names every group of tests, and no other', () => {
	const names = (text: string, pattern: RegExp) =>
		[...text.matchAll(pattern)].map(([, name = '']) => name).sort();
	expect(names(page, /--selectProjects (\w+)/g)).toEqual(
		names(read('jest.config.js'), /displayName: '(\w+)'/g),
	);
});

test.each(treePaths())('%s of the tree is there', (path) => {
	const [folder = '', ending] = path.split('*');
	if (ending === undefined) {
		expect(existsSync(join(projectFolder, path))).toBe(true);
	} else {
		const files = readdirSync(join(projectFolder, folder));
		expect(files.filter((file) => file.endsWith(ending))).not.toEqual([]);
	}
});

describe('imports go downward only', () => {
	const files = readdirSync(join(projectFolder, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => file.replaceAll('\\', '/'));

	test.each(files)('%s', (file) => {
		const imported = [...read(`nodes/${file}`).matchAll(/from '(\.[^']+)'/g)].map(
			([, path = '']) => layer(join(file, '..', path)),
		);
		for (const other of imported) expect(other).toBeGreaterThanOrEqual(layer(file));
	});
});

/** The layers from the top: 0 is the node files. */
function layer(path: string): number {
	const folder = /\/(trigger|operations|service)(\/|$)/.exec(path)?.[1] ?? '';
	return ['', 'trigger', 'operations', 'service'].indexOf(folder);
}

/** Paths in the page's tree, from its indentation. */
function treePaths(): string[] {
	const tree = /```\n([^`]+)```/.exec(page)?.[1] ?? '';
	const parents: string[] = [];
	return tree
		.trimEnd()
		.split('\n')
		.map((line) => {
			const depth = line.search(/\S/) / 2;
			const name = line.trim().split(/\s{2,}/, 1)[0] ?? '';
			parents.splice(depth, Infinity, name);
			return parents.join('');
		});
}
