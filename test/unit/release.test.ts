/** What `npm run release:check` finds wrong. It checks the real package itself; this, that it can fail. */
import { checkDependencies, checkRepository, checkScripts } from '../../release/manifest';
import { tell } from '../../release/report';
import { checkContents, checkSize } from '../../release/tarball';
import { checkVersions } from '../../release/versions';

const manifest = {
	name: 'n8n-nodes-lead-search',
	version: '1.2.3',
	n8n: { nodes: [], credentials: [] },
};

describe('The versions', () => {
	const agreeing = {
		manifest: '1.2.3',
		lock: ['1.2.3', '1.2.3'],
		changelog: '# Changelog\n\n## 1.2.3\n\nNew.\n\n## 1.2.2\n',
		tags: ['', 'v1.2.3', 'nightly'],
	};

	test('are fine when they agree, with a tag or without', () => {
		expect(checkVersions(agreeing).problems).toEqual([]);
		expect(checkVersions({ ...agreeing, tags: [''] }).problems).toEqual([]);
	});

	test.each([
		['package.json', { manifest: '1.2.4' }, 'package-lock.json says 1.2.3, package.json 1.2.4'],
		['the lock file', { lock: ['1.2.3', '1.2.2'] }, 'package-lock.json says 1.2.2'],
		['a lock file without one', { lock: [undefined, undefined] }, 'says nothing'],
		['CHANGELOG.md', { changelog: '## 1.2.2\n' }, 'The top entry of CHANGELOG.md is 1.2.2'],
		['an empty CHANGELOG.md', { changelog: '' }, 'The top entry of CHANGELOG.md is missing'],
		['the tag', { tags: ['v1.3.0'] }, 'The commit is tagged v1.3.0'],
		['no version at all', { manifest: 'next' }, '"next" in package.json is no version'],
	])('fail for a wrong one: %s', (_where, wrong, problem) => {
		const { problems } = checkVersions({ ...agreeing, ...wrong });
		expect(problems.join('\n')).toContain(problem);
	});
});

test('a runtime dependency of any kind fails', () => {
	expect(checkDependencies(manifest).problems).toEqual([]);
	const { problems } = checkDependencies({
		...manifest,
		dependencies: { one: '1' },
		optionalDependencies: { two: '2' },
		bundleDependencies: ['three'],
	});
	expect(problems).toHaveLength(3);
});

test('a script that npm runs by itself fails', () => {
	expect(checkScripts({ ...manifest, scripts: { build: 'tsc' } }).problems).toEqual([]);
	expect(checkScripts({ ...manifest, scripts: { postinstall: 'x' } }).problems).toEqual([
		expect.stringContaining('"postinstall"'),
	]);
});

test('another repository than the one that publishes fails', () => {
	const named = { ...manifest, repository: { url: 'git+https://github.com/owner/name.git' } };
	expect(checkRepository(named, undefined).problems).toEqual([]);
	expect(checkRepository(named, 'owner/name').problems).toEqual([]);
	expect(checkRepository(named, 'other/name').problems).toHaveLength(1);
	expect(checkRepository(manifest, undefined).problems).toHaveLength(1);
});

test('a file too many, a file too few and a large tarball fail', () => {
	const files = ['LICENSE.md', 'README.md', 'dist/test/x.js', '.env'].map((path) => ({
		path,
		size: 1,
	}));
	const packed = { filename: 'package.tgz', size: 60_000, files };
	expect(checkContents(packed).problems).toEqual([
		'package.json is missing',
		expect.stringContaining('.env'),
		expect.stringContaining('dist/test/x.js'),
	]);
	expect(checkSize(packed).problems).toHaveLength(1);
	expect(checkSize({ ...packed, size: 59_999 }).problems).toEqual([]);
});

test('a finding is a line with a mark, and below it what to do', () => {
	expect(tell({ name: 'It builds', problems: [] })).toBe('✓ It builds');
	expect(tell({ name: 'It builds', problems: ['Mend this:\nline 1'] })).toBe(
		'✗ It builds\n    Mend this:\n    line 1',
	);
});
