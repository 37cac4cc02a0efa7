/** Checks the package before it is published. npm would refuse a package with these faults, or users would miss files. */
import execa from 'execa';

import { projectFolder } from '../../sandbox/paths';
import { manifest, read } from './project';

test('package.json, its lock file, the changelog and the Git tag have the same version', async () => {
	const { version } = manifest;
	expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
	const lock = JSON.parse(read('package-lock.json')) as {
		version: string;
		packages: Record<string, { version?: string }>;
	};
	expect([lock.version, lock.packages['']?.version]).toEqual([version, version]);
	expect(/^## \[?v?([^\s\]]+)/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
	// There are no tags if this isn't a Git repository.
	const options = { cwd: projectFolder, reject: false };
	const { stdout } = await execa('git', ['tag', '--points-at', 'HEAD'], options);
	const tags = stdout.split('\n').filter((tag) => /^v\d/.test(tag));
	if (tags.length > 0) expect(tags).toContain(`v${version}`);
});

test('the package has no dependencies that users would install', () => {
	const names = ['dependencies', 'optionalDependencies', 'bundledDependencies'];
	for (const field of [...names, 'bundleDependencies']) expect(manifest).not.toHaveProperty(field);
});

test('the provenance on npm names the repository of package.json', () => {
	const { url } = manifest.repository;
	const [, named] = /^git\+https:\/\/github\.com\/([^/]+\/[^/]+?)\.git$/.exec(url) ?? [];
	expect(named).toBe(process.env.GITHUB_REPOSITORY ?? named);
	expect(named).toBeDefined();
});
