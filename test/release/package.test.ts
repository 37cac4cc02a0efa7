/** What `npm run release:check` finds before a package is published. */
import type { PackedPackage } from '../../sandbox/n8n/index';
import {
	manifestProblems,
	tarballProblems,
	versionProblems,
	type Manifest,
	type Versions,
} from '../../sandbox/release/package';
import { manifest as real, read } from './project';

const manifest: Manifest = {
	name: 'pack',
	version: '1.2.3',
	repository: { url: 'git+https://github.com/owner/name.git' },
};

describe('versions', () => {
	const agreeing: Versions = {
		manifest: '1.2.3',
		lock: ['1.2.3', '1.2.3'],
		changelog: '# Changelog\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n',
		tags: ['v1.2.3'],
	};

	test('the real package has one version everywhere', () => {
		const lock = JSON.parse(read('package-lock.json')) as {
			version: string;
			packages: Record<string, { version?: string }>;
		};
		const versions = {
			manifest: real.version,
			lock: [lock.version, lock.packages['']?.version],
			changelog: read('CHANGELOG.md'),
			tags: [`v${real.version}`],
		};
		expect(versionProblems(versions)).toEqual([]);
	});

	test.each([
		['without a tag', { tags: [''] }],
		['with a tag that is no version', { tags: ['nightly'] }],
		['with its own tag among others', { tags: ['nightly', 'v1.2.3', 'v1.2'] }],
		['with a date in the changelog', { changelog: '## 1.2.3 (2026-01-31)\n' }],
		[
			'as a pre-release',
			{
				manifest: '2.0.0-rc.1',
				lock: ['2.0.0-rc.1'],
				tags: [''],
				changelog: '## 2.0.0-rc.1',
			},
		],
	])('a version passes %s', (_how, change) => {
		expect(versionProblems({ ...agreeing, ...change })).toEqual([]);
	});

	test.each([
		['package.json', { manifest: '1.2.4' }, 'package-lock.json says 1.2.3 and 1.2.3'],
		[
			'package-lock.json',
			{ lock: ['1.2.3', '1.2.2'] },
			'package-lock.json says 1.2.3 and 1.2.2',
		],
		['CHANGELOG.md', { changelog: '## 1.2.2\n' }, 'The top entry of CHANGELOG.md is 1.2.2'],
		['an older top entry', { changelog: '## 1.2.2\n\n## 1.2.3\n' }, 'CHANGELOG.md is 1.2.2'],
		['an empty CHANGELOG.md', { changelog: '' }, 'The top entry of CHANGELOG.md is missing'],
		['the tag', { tags: ['v1.3.0'] }, 'The commit is tagged v1.3.0'],
		['no version at all', { manifest: 'next' }, '"next" in package.json is no version'],
	])('a wrong version fails: %s', (_where, wrong, problem) => {
		expect(versionProblems({ ...agreeing, ...wrong }).join('\n')).toContain(problem);
	});
});

describe('package.json', () => {
	test('the real one passes', () => {
		expect(manifestProblems(real, undefined)).toEqual([]);
	});

	test.each(['optionalDependencies', 'bundledDependencies', 'bundleDependencies'])(
		'a runtime dependency fails: %s',
		(field) => {
			const problems = manifestProblems({ ...manifest, [field]: ['axios'] }, undefined);
			expect(problems.join()).toContain(`Remove "${field}"`);
		},
	);

	test('npm takes provenance only from the repository that it names', () => {
		expect(manifestProblems(manifest, 'owner/name')).toEqual([]);
		expect(manifestProblems(manifest, 'other/name')).toEqual([
			'"repository.url" in package.json names owner/name, but this is other/name',
		]);
		expect(manifestProblems({ ...manifest, repository: {} }, undefined)).toHaveLength(1);
	});
});

describe('the tarball', () => {
	const packed = (paths: readonly string[], size = 1_000): PackedPackage => ({
		filename: 'package.tgz',
		size,
		files: paths.map((path) => ({ path })),
	});
	const right = ['LICENSE.md', 'README.md', 'package.json', 'dist/nodes/A/A.node.js'];

	test('dist, README.md, LICENSE.md and package.json pass', () => {
		expect(tarballProblems(packed(right))).toEqual([]);
	});

	test.each([
		'.env',
		'sandbox/start.mjs',
		'nodes/A/A.node.ts',
		'CHANGELOG.md',
		'dist/test/a.test.js',
	])('an extra file fails: %s', (path) => {
		expect(tarballProblems(packed([...right, path])).join()).toContain(
			`${path} does not belong there`,
		);
	});

	test.each(['LICENSE.md', 'README.md', 'package.json'])('a missing file fails: %s', (path) => {
		const paths = right.filter((other) => other !== path);
		expect(tarballProblems(packed(paths))).toEqual([`${path} is missing`]);
	});

	test('one without a built file fails', () => {
		const paths = right.filter((path) => !path.startsWith('dist/'));
		expect(tarballProblems(packed(paths))).toEqual(['dist is empty: run `npm run build`']);
	});

	test('one of 70 kB fails, a smaller one passes', () => {
		expect(tarballProblems(packed(right, 69_999))).toEqual([]);
		expect(tarballProblems(packed(right, 70_000))).toHaveLength(1);
	});
});
