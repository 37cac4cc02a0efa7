/** Imports in `nodes/` run downward only, and one name of a type means one thing. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../sandbox/paths';
import { read } from './project';

/** From the bottom; folders in one line don't import each other. Above them are the files in none. */
const LAYERS = [
	['api'],
	['paging'],
	['parameters'],
	['messages'],
	['resources'],
	['execution', 'methods'],
	['trigger'],
];

const folder = 'nodes/LeadSearch';
const files = readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.ts'));

test.each(files)('%s', (file) => {
	const from = file.split('/');
	const imported = [...read(`${folder}/${file}`).matchAll(/from '(\.[^']+)'/g)].map(
		([, path = '']) => join(file, '..', path).replaceAll('\\', '/').split('/'),
	);
	const upward = imported.filter(
		(to) =>
			layerOf(to) > layerOf(from) ||
			(layerOf(to) === layerOf(from) && layerOf(to) < LAYERS.length && to[0] !== from[0]),
	);
	expect(upward).toEqual([]);
});

function layerOf([top = '']: string[]): number {
	const layer = LAYERS.findIndex((folders) => folders.includes(top));
	return layer < 0 ? LAYERS.length : layer;
}

test('each type has a name of its own', () => {
	const names = files.flatMap((file) =>
		[
			...read(`${folder}/${file}`).matchAll(
				/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm,
			),
		].map(([, name = '']) => name),
	);
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
