import type { PackedPackage } from '../../sandbox/n8n/index';
import { checkContents, checkSize } from '../../sandbox/release/tarball';

function packed(paths: readonly string[], size = 1_000): PackedPackage {
	return { filename: 'package.tgz', size, files: paths.map((path) => ({ path, size: 1 })) };
}

const right = ['LICENSE.md', 'README.md', 'package.json', 'dist/nodes/A/A.node.js'];

test('dist, README.md, LICENSE.md and package.json pass', () => {
	expect(checkContents(packed(right)).problems).toEqual([]);
});

test.each(['.env', 'sandbox/start.mjs', 'nodes/A/A.node.ts', 'CHANGELOG.md'])(
	'an extra file fails: %s',
	(path) => {
		expect(checkContents(packed([...right, path])).problems).toEqual([
			`${path} does not belong there: see "files" in package.json`,
		]);
	},
);

test('a built file of something else than nodes and credentials fails', () => {
	expect(checkContents(packed([...right, 'dist/test/a.test.js'])).problems).toEqual([
		'dist/test/a.test.js does not belong there: see tsconfig.build.json',
	]);
});

test.each(['LICENSE.md', 'README.md', 'package.json'])('a missing file fails: %s', (path) => {
	const paths = right.filter((other) => other !== path);
	expect(checkContents(packed(paths)).problems).toEqual([`${path} is missing`]);
});

test('a tarball without a built file fails', () => {
	const paths = right.filter((path) => !path.startsWith('dist/'));
	expect(checkContents(packed(paths)).problems).toEqual(['dist is empty: run `npm run build`']);
});

test('a tarball of 60 kB fails, a smaller one passes', () => {
	expect(checkSize(packed(right, 59_999)).problems).toEqual([]);
	expect(checkSize(packed(right, 60_000)).problems).toHaveLength(1);
});
