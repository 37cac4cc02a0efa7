const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { default: Runtime } = require('jest-runtime');

/** Large packages that tests load. */
const SHARED = new Set([
	...['@faker-js/faker/locale/en', '@n8n/di', 'ajv', 'ajv-formats', 'fast-check'],
	...['fastify', 'n8n-core', 'n8n-workflow', 'undici'],
]);

let folder;

/**
 * Loads the shared packages once per process, outside of the realm of the tests. Jest would load every module again for
 * each test file, which took a third of the time of all tests. The state of a shared package lasts from one file to the
 * next. Its errors, like those of Node.js, are not instances of the tests' Error.
 */
module.exports = class extends Runtime {
	requireModule(from, name, ...more) {
		// ESLint needs an older ajv.
		const isOlder = name === 'ajv' && from.includes('eslint');
		if (!SHARED.has(name) || isOlder) return super.requireModule(from, name, ...more);
		if (name === 'n8n-core') folder ??= prepareN8nCore();
		return require(name);
	}
};

/** Creates a folder and a key for n8n-core. It reads them when it is loaded. */
function prepareN8nCore() {
	const made = mkdtempSync(join(tmpdir(), 'lead-search-core-'));
	process.once('exit', () => {
		rmSync(made, { recursive: true, force: true });
	});
	process.env.N8N_USER_FOLDER = made;
	process.env.N8N_ENCRYPTION_KEY = 'a key for tests alone';
	process.env.N8N_LOG_LEVEL = 'silent';
	return made;
}
