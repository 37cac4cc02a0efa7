import {
	checkDependencies,
	checkRepository,
	checkScripts,
	type Manifest,
} from '../../sandbox/release/manifest';
import { manifest as real } from './project';

const manifest: Manifest = {
	name: 'n8n-nodes-lead-search',
	version: '1.2.3',
	repository: { url: 'git+https://github.com/owner/name.git' },
	n8n: { nodes: [], credentials: [] },
};

test('the real package.json passes', () => {
	expect(checkDependencies(real).problems).toEqual([]);
	expect(checkScripts(real).problems).toEqual([]);
	expect(checkRepository(real, undefined).problems).toEqual([]);
});

test.each([
	['dependencies', { dependencies: { axios: '1' } }],
	['optionalDependencies', { optionalDependencies: { axios: '1' } }],
	['bundledDependencies', { bundledDependencies: ['axios'] }],
	['bundleDependencies', { bundleDependencies: ['axios'] }],
])('a runtime dependency fails: %s', (_field, more) => {
	expect(checkDependencies({ ...manifest, ...more }).problems).toEqual([
		'Remove axios from package.json, or move it to devDependencies',
	]);
});

test.each([
	'preinstall',
	'install',
	'postinstall',
	'prepare',
	'preprepare',
	'postprepare',
	'prepublish',
	'prepublishOnly',
	'prepack',
])('a script that npm runs by itself fails: %s', (name) => {
	const scripts = { build: 'tsc', [name]: 'node something.js' };
	expect(checkScripts({ ...manifest, scripts }).problems).toEqual([
		`Remove the script "${name}" from package.json, or call it by another name`,
	]);
});

test('scripts that people run pass', () => {
	const scripts = { build: 'tsc', test: 'jest', 'release:check': 'tsx check.ts' };
	expect(checkScripts({ ...manifest, scripts }).problems).toEqual([]);
});

test('npm takes provenance only from the repository that package.json names', () => {
	expect(checkRepository(manifest, 'owner/name').problems).toEqual([]);
	expect(checkRepository(manifest, 'other/name').problems).toEqual([
		'"repository.url" in package.json names owner/name, but this is other/name',
	]);
	expect(checkRepository({ ...manifest, repository: {} }, undefined).problems).toHaveLength(1);
});
