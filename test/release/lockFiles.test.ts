/**
 * Checks that every lock file can be installed with `npm ci` on every system for which its packages have builds. npm
 * refuses a lock file that lacks a build, or that has other versions than package.json.
 */
import pinned from '../../sandbox/pinned.json';
import { read } from './project';

interface Locked {
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly integrity?: string;
	readonly os?: string | readonly string[];
}

function lockedIn(file: string): Record<string, Locked> {
	return (JSON.parse(read(file)) as { packages: Record<string, Locked> }).packages;
}

const pinnedFiles = Object.entries(pinned).map(([part, { dependencies }]) => ({
	file: `sandbox/locks/${part}/package-lock.json`,
	dependencies,
}));
const files = [
	'package-lock.json',
	'sandbox/n8n/package-lock.json',
	...pinnedFiles.map(({ file }) => file),
];

test.each(pinnedFiles)('$file has the pinned versions', ({ file, dependencies }) => {
	expect(lockedIn(file)['']?.dependencies).toEqual(dependencies);
});

test.each(files)('%s has the hash of every package', (file) => {
	const packages = Object.entries(lockedIn(file)).filter(([path]) => path !== '');
	expect(packages).not.toEqual([]);
	const withoutHash = packages.filter(([, locked]) => !locked.integrity);
	expect(withoutHash.map(([path]) => path)).toEqual([]);
});

test.each(files)('%s lists every build that a package in it names', (file) => {
	const locked = Object.entries(lockedIn(file));
	const nameOf = (path: string) => path.replace(/.*node_modules\//, '');
	const names = new Set(locked.map(([path]) => nameOf(path)));
	const builds = new Set(locked.flatMap(([path, { os }]) => (os ? nameOf(path) : [])));
	const missing = locked.flatMap(([, { optionalDependencies = {} }]) => {
		const named = Object.keys(optionalDependencies);
		return named.some((name) => builds.has(name)) ? named.filter((name) => !names.has(name)) : [];
	});
	expect(missing).toEqual([]);
});
