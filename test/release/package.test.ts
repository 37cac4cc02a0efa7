/** What `npm run release:check` finds before a package is published. */
import {
	manifestProblems,
	versionProblems,
	type Manifest,
	type Versions,
} from '../../sandbox/release/package';
import { manifest as real, read } from './project';

test('the real package passes, and has one version everywhere', () => {
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
	expect(manifestProblems(real, undefined)).toEqual([]);
});

describe('A version', () => {
	const agreeing: Versions = {
		manifest: '1.2.3',
		lock: ['1.2.3', '1.2.3'],
		changelog: '# Changelog\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n',
		tags: ['v1.2.3'],
	};
	const rc = { manifest: '2.0.0-rc.1', lock: ['2.0.0-rc.1'], changelog: '## 2.0.0-rc.1' };

	test.each<[Partial<Versions>]>([
		[{}],
		[{ tags: [''] }],
		[{ tags: ['nightly'] }],
		[{ tags: ['nightly', 'v1.2.3', 'v1.2'] }],
		[{ changelog: '## 1.2.3 (2026-01-31)\n' }],
		[{ ...rc, tags: [''] }],
	])('passes with %j', (change) => {
		expect(versionProblems({ ...agreeing, ...change })).toEqual([]);
	});

	test.each<[Partial<Versions>, string]>([
		[{ manifest: '1.2.4' }, 'package-lock.json says 1.2.3 and 1.2.3'],
		[{ lock: ['1.2.3', '1.2.2'] }, 'package-lock.json says 1.2.3 and 1.2.2'],
		[{ changelog: '## 1.2.2\n\n## 1.2.3\n' }, 'The top entry of CHANGELOG.md is 1.2.2'],
		[{ changelog: '' }, 'The top entry of CHANGELOG.md is missing'],
		[{ tags: ['v1.3.0'] }, 'The commit is tagged v1.3.0'],
		[{ manifest: 'next' }, '"next" in package.json is no version'],
	])('fails with %j', (wrong, problem) => {
		expect(versionProblems({ ...agreeing, ...wrong }).join('\n')).toContain(problem);
	});
});

describe('package.json', () => {
	const url = 'git+https://github.com/owner/name.git';
	const manifest: Manifest = { name: 'pack', version: '1.2.3', repository: { url } };

	test.each(['optionalDependencies', 'bundledDependencies', 'bundleDependencies'])(
		'fails with a runtime dependency: %s',
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
