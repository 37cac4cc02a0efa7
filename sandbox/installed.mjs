/** Tells whether a folder's node_modules is complete, and what its lock file asks for. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a finished install stands in the folder: either the stamp of ours is of just this lock
 * file and manifest, or npm's own record lists everything that the lock file asks for (somebody
 * ran npm by hand).
 *
 * @param {string} folder
 * @param {string} runtime what the install depends on beside the two files, such as Node's version
 */
export function isInstalled(folder, runtime) {
	const stamp = readJson(stampFile(folder));
	if (stamp === undefined) return npmInstalledAll(folder);
	if (stamp.runtime !== runtime) return false;
	return stamp.fingerprint === fingerprint(folder) || npmInstalledAll(folder);
}

/** Records that the folder's install is complete. */
export function writeStamp(folder, runtime) {
	const stamp = { fingerprint: fingerprint(folder), runtime };
	writeFileSync(stampFile(folder), `${JSON.stringify(stamp)}\n`);
}

/**
 * Makes way for an install: a half-finished one is removed, a finished one only loses its stamp, so
 * that npm can change what differs.
 */
export function makeWay(folder) {
	if (existsSync(npmRecord(folder))) return rmSync(stampFile(folder), { force: true });
	rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
}

/**
 * Paths in node_modules of all packages that the folder's lock file lists.
 *
 * @returns {string[]}
 */
export function lockedPaths(folder) {
	return Object.keys(lockedPackages(folder)).filter((path) => path !== '');
}

/** The version of a package that the folder's lock file asks for. */
export function lockedVersion(folder, name) {
	return lockedPackages(folder)[`node_modules/${name}`]?.version;
}

function npmInstalledAll(folder) {
	const installed = readJson(npmRecord(folder))?.packages;
	if (installed === undefined || !lockFitsManifest(folder)) return false;
	return Object.entries(lockedPackages(folder)).every(([path, locked]) => {
		if (path === '') return true;
		const found = installed[path];
		return found === undefined ? locked.optional === true : found.version === locked.version;
	});
}

/** After a changed manifest npm has to look at the lock file. */
function lockFitsManifest(folder) {
	const manifest = readJson(join(folder, 'package.json'));
	const locked = lockedPackages(folder)[''] ?? {};
	return ['dependencies', 'devDependencies'].every(
		(kind) => sortedEntries(manifest?.[kind]) === sortedEntries(locked[kind]),
	);
}

function sortedEntries(record = {}) {
	return JSON.stringify(Object.entries(record).sort());
}

function lockedPackages(folder) {
	return readJson(join(folder, 'package-lock.json'))?.packages ?? {};
}

function fingerprint(folder) {
	const hash = createHash('sha256');
	for (const name of ['package-lock.json', 'package.json']) {
		const file = join(folder, name);
		hash.update(existsSync(file) ? readFileSync(file) : '');
	}
	return hash.digest('hex');
}

const stampFile = (folder) => join(folder, 'node_modules', '.install-stamp.json');

/** npm writes this when an install has ended, not before. */
const npmRecord = (folder) => join(folder, 'node_modules', '.package-lock.json');

function readJson(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return undefined;
	}
}
