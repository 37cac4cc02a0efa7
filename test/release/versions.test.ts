import { checkVersions, type Versions } from '../../sandbox/release/versions';
import { manifest, read } from './project';

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
	const { problems } = checkVersions({
		manifest: manifest.version,
		lock: [lock.version, lock.packages['']?.version],
		changelog: read('CHANGELOG.md'),
		tags: [`v${manifest.version}`],
	});
	expect(problems).toEqual([]);
});

test.each([
	['without a tag', { tags: [''] }],
	['with a tag that is no version', { tags: ['nightly'] }],
	['with its own tag among others', { tags: ['nightly', 'v1.2.3', 'v1.2'] }],
	['with a date in the changelog', { changelog: '## 1.2.3 (2026-01-31)\n' }],
	[
		'as a pre-release',
		{ manifest: '2.0.0-rc.1', lock: ['2.0.0-rc.1'], tags: [''], changelog: '## 2.0.0-rc.1' },
	],
])('a version passes %s', (_how, change) => {
	expect(checkVersions({ ...agreeing, ...change }).problems).toEqual([]);
});

test.each([
	['package.json', { manifest: '1.2.4' }, 'package-lock.json says 1.2.3, package.json 1.2.4'],
	['package-lock.json', { lock: ['1.2.3', '1.2.2'] }, 'package-lock.json says 1.2.2'],
	['a lock file without one', { lock: [undefined] }, 'package-lock.json says nothing'],
	['CHANGELOG.md', { changelog: '## 1.2.2\n' }, 'The top entry of CHANGELOG.md is 1.2.2'],
	['an older top entry', { changelog: '## 1.2.2\n\n## 1.2.3\n' }, 'CHANGELOG.md is 1.2.2'],
	['an empty CHANGELOG.md', { changelog: '' }, 'The top entry of CHANGELOG.md is missing'],
	['the tag', { tags: ['v1.3.0'] }, 'The commit is tagged v1.3.0'],
	['no version at all', { manifest: 'next' }, '"next" in package.json is no version'],
])('a wrong version fails: %s', (_where, wrong, problem) => {
	const { problems } = checkVersions({ ...agreeing, ...wrong });
	expect(problems.join('\n')).toContain(problem);
});
