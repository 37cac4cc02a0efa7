/**
 * Every lock file installs with `npm ci`, on every system that a package in it has builds for: npm
 * refuses one that lacks a build.
 */
import { read } from './project';

interface Locked {
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly os?: string | readonly string[];
}

/** Where a package finds another one: beside it, or in a folder further up. */
function pathOf(name: string, from: string, locked: Readonly<Record<string, Locked>>) {
	const folders = from.split('/node_modules/');
	const paths = folders.map((_, end) =>
		folders.slice(0, folders.length - end).join('/node_modules/'),
	);
	return [...paths.map((path) => `${path}/node_modules/${name}`), `node_modules/${name}`].find(
		(path) => path in locked,
	);
}

const files = ['package-lock.json', 'sandbox/n8n/package-lock.json'];
test.each(files)('%s lists every build that a package in it names', (file) => {
	const { packages: locked } = JSON.parse(read(file)) as { packages: Record<string, Locked> };
	const withBuilds = Object.entries(locked).filter(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).some((name) => {
			const build = pathOf(name, path, locked);
			return build !== undefined && locked[build]?.os !== undefined;
		}),
	);
	expect(withBuilds).not.toEqual([]);
	const missing = withBuilds.flatMap(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter((name) => pathOf(name, path, locked) === undefined),
	);
	expect(missing).toEqual([]);
});
