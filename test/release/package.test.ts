/** What `npm run release:check` finds before a package is published. */
import { manifestProblems, versionProblems } from '../../sandbox/release/package';
import { manifest as real, read } from './project';

test('the real package passes, and has one version everywhere', () => {
	const lock = JSON.parse(read('package-lock.json')) as {
		version: string;
		packages: Record<string, { version?: string }>;
	};
	const locked = [lock.version, lock.packages['']?.version];
	const tags = [`v${real.version}`];
	expect(versionProblems(real.version, locked, read('CHANGELOG.md'), tags)).toEqual([]);
	expect(manifestProblems(real, undefined)).toEqual([]);
});

describe('A version', () => {
	const lock = ['1.2.3', '1.2.3'];
	const changelog = '# Changelog\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n';
	const rc = '2.0.0-rc.1';

	test.each([
		['1.2.3', lock, changelog, ['v1.2.3']],
		['1.2.3', lock, changelog, ['']],
		['1.2.3', lock, changelog, ['nightly']],
		['1.2.3', lock, changelog, ['nightly', 'v1.2.3', 'v1.2']],
		['1.2.3', lock, '## 1.2.3 (2026-01-31)\n', []],
		[rc, [rc], `## ${rc}`, ['']],
	])('%s passes with %j, %j and %j', (...versions) => {
		expect(versionProblems(...versions)).toEqual([]);
	});

	test.each([
		['1.2.4', lock, changelog, [], 'package-lock.json says 1.2.3 and 1.2.3'],
		['1.2.3', ['1.2.3', '1.2.2'], changelog, [], 'package-lock.json says 1.2.3 and 1.2.2'],
		['1.2.3', lock, '## 1.2.2\n\n## 1.2.3\n', [], 'The top entry of CHANGELOG.md is 1.2.2'],
		['1.2.3', lock, '', [], 'The top entry of CHANGELOG.md is missing'],
		['1.2.3', lock, changelog, ['v1.3.0'], 'The commit is tagged v1.3.0'],
		['next', lock, changelog, [], '"next" in package.json is no version'],
	])('%s fails with %j, %j and %j', (version, locked, changes, tags, problem) => {
		expect(versionProblems(version, locked, changes, tags).join('\n')).toContain(problem);
	});
});

describe('package.json', () => {
	const url = 'git+https://github.com/owner/name.git';
	const manifest = { version: '1.2.3', repository: { url } };

	test('fails with a runtime dependency', () => {
		for (const field of ['optionalDependencies', 'bundledDependencies', 'bundleDependencies'])
			expect(manifestProblems({ ...manifest, [field]: ['axios'] }, undefined).join()).toContain(
				`Remove "${field}"`,
			);
	});

	test('npm takes provenance only from the repository that it names', () => {
		expect(manifestProblems(manifest, 'owner/name')).toEqual([]);
		expect(manifestProblems(manifest, 'other/name')).toEqual([
			'"repository.url" in package.json names owner/name, but this is other/name',
		]);
		expect(manifestProblems({ ...manifest, repository: {} }, undefined)).toHaveLength(1);
	});
});
