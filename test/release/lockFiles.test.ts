/**
 * Every lock file installs with `npm ci`, on every system that a package in it has builds for: npm
 * refuses one that lacks a build, or that is of other versions.
 */
import pinned from '../../sandbox/pinned.json';
import { read } from './project';

interface Locked {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly integrity?: string;
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

function lockedIn(file: string): Record<string, Locked> {
	return (JSON.parse(read(file)) as { packages: Record<string, Locked> }).packages;
}

const pinnedFiles = Object.entries(pinned).map(([part, { dependencies }]) => ({
	file: `sandbox/locks/${part}/package-lock.json`,
	dependencies,
}));
const files = [
	...['package-lock.json', 'sandbox/n8n/package-lock.json'],
	...pinnedFiles.map(({ file }) => file),
];

test.each(pinnedFiles)('$file is of the pinned versions', ({ file, dependencies }) => {
	expect(lockedIn(file)['']?.dependencies).toEqual(dependencies);
});

test.each(files)('%s names the contents of every package', (file) => {
	const packages = Object.entries(lockedIn(file)).filter(([path]) => path !== '');
	expect(packages).not.toEqual([]);
	const open = packages.filter(([, locked]) => !locked.integrity);
	expect(open.map(([path]) => path)).toEqual([]);
});

test.each(files)('%s lists every build that a package in it names', (file) => {
	const locked = lockedIn(file);
	const withBuilds = Object.entries(locked).filter(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).some((name) => {
			const build = pathOf(name, path, locked);
			return build !== undefined && locked[build]?.os !== undefined;
		}),
	);
	const missing = withBuilds.flatMap(([path, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter((name) => pathOf(name, path, locked) === undefined),
	);
	expect(missing).toEqual([]);
});
