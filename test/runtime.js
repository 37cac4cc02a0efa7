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
 * Jest loads every module again for every test file, which took a third of the time of all tests. The
 * packages above are loaded once in each of its processes, outside of the realm of the tests. So what
 * they keep lasts from one file to the next, and an error of theirs, like one of Node's own, is no
 * instance of the tests' Error.
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

/** Gives n8n-core a folder and a key of its own, before it is loaded. */
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
