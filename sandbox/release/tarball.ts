import type { PackedPackage } from '../n8n/index';
import type { Finding } from './finding';

const mostBytes = 60_000;
const besidesDist = ['LICENSE.md', 'README.md', 'package.json'];

/** Whether the tarball holds the built files and what npm wants beside them, and nothing else. */
export function checkContents({ files }: PackedPackage): Finding {
	const paths = files.map(({ path }) => path);
	const missing = besidesDist.filter((path) => !paths.includes(path));
	const others = paths.filter((path) => !path.startsWith('dist/') && !besidesDist.includes(path));
	const strange = paths.filter((path) => /^dist\/(?!(nodes|credentials)\/)/.test(path));
	return {
		name: `The tarball holds dist, README, LICENSE and package.json alone (${paths.length} files)`,
		problems: [
			...(paths.some((path) => path.startsWith('dist/'))
				? []
				: ['dist is empty: run `npm run build`']),
			...missing.map((path) => `${path} is missing`),
			...others.map((path) => `${path} does not belong there: see "files" in package.json`),
			...strange.map((path) => `${path} does not belong there: see tsconfig.build.json`),
		],
	};
}

/** Whether the tarball is small enough to be read by whoever installs it. */
export function checkSize({ size }: PackedPackage): Finding {
	return {
		name: `The tarball is smaller than ${mostBytes / 1_000} kB (${(size / 1_000).toFixed(1)} kB)`,
		problems:
			size < mostBytes ? [] : ['Look with `npm pack --dry-run` at what takes up the room'],
	};
}
