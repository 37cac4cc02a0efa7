/** Installs missing packages. It runs before anything is installed, so it uses only Node's own modules. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Packages with exact versions, by part. Their dependencies are in the lock files in `sandbox/locks`. */
const pinned = JSON.parse(readFileSync(new URL('pinned.json', import.meta.url), 'utf8'));

/** The parts. A part without `folder` is pinned and installed in `sandbox/.home`. */
const parts = {
	project: { name: 'the development packages', folder: '', size: '0.6 GB', time: 'a minute' },
	// The newest n8n contains the version of Node that both n8ns need.
	n8n: { name: 'n8n', folder: 'sandbox/n8n', size: '2.2 GB', time: '3 to 6 minutes' },
	'n8n-1': { name: 'the last n8n 1', size: '1.6 GB', time: '2 to 5 minutes' },
	'node-cli': { name: "n8n's node-cli", size: '0.6 GB', time: 'a minute' },
};

const record = join('node_modules', '.package-lock.json');

/** Installs missing parts concurrently, because npm mostly waits for disk and network. */
export async function install(...names) {
	const missing = names.filter((part) => !isInstalled(part));
	for (const { name, size, time } of missing.map((part) => parts[part]))
		process.stdout.write(`Installing ${name} (only once): about ${size}, about ${time}\n`);
	await Promise.all(missing.map(installOne));
}

async function installOne(part) {
	const folder = folderOf(part);
	const flags = ['--include=dev', '--no-fund', '--no-audit'];
	if (part in pinned) {
		const manifest = JSON.stringify({ private: true, ...pinned[part] });
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'package.json'), manifest);
		await copyFile(lockFileOf(part), join(folder, 'package-lock.json'));
		flags.push('--legacy-peer-deps', '--ignore-scripts');
	}
	await npm(folder, 'ci', ...flags);
}

function folderOf(part) {
	return join(projectFolder, parts[part].folder ?? join('sandbox', '.home', part));
}

function lockFileOf(part) {
	const folder = part in pinned ? join(projectFolder, 'sandbox', 'locks', part) : folderOf(part);
	return join(folder, 'package-lock.json');
}

/** Whether exactly the locked versions are installed. */
function isInstalled(part) {
	const file = join(folderOf(part), record);
	if (!existsSync(file)) return false;
	const packagesIn = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;
	const installed = packagesIn(file);
	// Packages for other systems are optional, and missing in npm's record.
	return Object.entries(packagesIn(lockFileOf(part))).every(
		([path, { version, optional = false }]) =>
			path === '' || (installed[path] ? installed[path].version === version : optional),
	);
}

/** Runs npm, which prints its own progress. npm ends when this process is interrupted. */
async function npm(folder, ...command) {
	const args = [...command, '--loglevel=error'];
	// On Windows, npm is a script that Node can't start, but npm sets the path of its program in this variable.
	const program = process.env.npm_execpath;
	const how = { cwd: folder, stdio: 'inherit', shell: program === undefined };
	const child = program
		? spawn(process.execPath, [program, ...args], how)
		: spawn(`npm ${args.join(' ')}`, how);
	let interrupted = false;
	const interrupt = () => {
		interrupted = true;
		// npm reacts slowly to other signals, or not at all.
		child.kill('SIGKILL');
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.on(signal, interrupt);
	const [code] = await once(child, 'close');
	for (const signal of signals) process.off(signal, interrupt);
	const failed = `"npm ${args.join(' ')}" in ${folder} failed`;
	const message = interrupted
		? 'Interrupted. The next run starts this installation again.'
		: failed;
	if (interrupted || code !== 0) throw Object.assign(new Error(message), { isForUser: true });
}
