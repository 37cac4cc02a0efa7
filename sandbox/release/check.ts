/**
 * `npm run release:check`: checks everything that can be known before the package is published,
 * and prints a line for each. The exit code is 0 when all is well.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stopAllGuarded } from '../guarded-process';
import { describePackage, installationNames, packPackage } from '../n8n/index';
import { projectFolder } from '../paths';
import { whenInterrupted } from '../start/interrupt';
import { conclude, tell, type Finding } from './finding';
import { checkLoads, loadsName } from './loads';
import { checkDependencies, checkRepository, checkScripts, type Manifest } from './manifest';
import { withProgress } from './progress';
import { run } from './run';
import { scanSources, scanTarball } from './scan';
import { checkContents, checkSize } from './tarball';
import { checkVersions, type Versions } from './versions';

const interrupted = 130;

async function main(): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'lead-search-release-'));
	try {
		return await Promise.race([checkAll(folder), whenInterrupted().then(() => interrupted)]);
	} finally {
		await stopAllGuarded();
		await rm(folder, { recursive: true, force: true });
	}
}

/** @param folder for what is made on the way */
async function checkAll(folder: string): Promise<number> {
	const started = Date.now();
	const findings: Finding[] = [];
	for await (const finding of check(folder)) {
		process.stdout.write(`${tell(finding)}\n`);
		findings.push(finding);
	}
	process.stdout.write(`\n${conclude(findings, Date.now() - started)}\n`);
	return findings.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

/** The quick checks first; without a build there is nothing to pack. */
async function* check(folder: string): AsyncGenerator<Finding> {
	const manifest = JSON.parse(await read('package.json')) as Manifest;
	yield checkVersions(await readVersions(manifest));
	yield checkDependencies(manifest);
	yield checkScripts(manifest);
	yield checkRepository(manifest, process.env.GITHUB_REPOSITORY);
	yield await withProgress('Scanning the sources', () => scanSources(projectFolder));

	const built = await withProgress('Building', build);
	yield built;
	if (built.problems.length > 0) return;

	const packed = await withProgress('Packing', describePackage);
	yield checkContents(packed);
	yield checkSize(packed);
	const tarball = await packPackage(folder);
	const unpacked = await unpack(tarball, join(folder, 'unpacked'));
	yield await withProgress('Scanning the tarball', () => scanTarball(unpacked));
	for (const name of installationNames) {
		yield await withProgress(`Trying whether ${loadsName(name)}`, () =>
			checkLoads(tarball, manifest, name, join(folder, name)),
		);
	}
}

async function readVersions(manifest: Manifest): Promise<Versions> {
	const lock = JSON.parse(await read('package-lock.json')) as {
		readonly version?: string;
		readonly packages: Readonly<Record<string, { readonly version?: string }>>;
	};
	const { code, output } = await run('git', ['tag', '--points-at', 'HEAD'], projectFolder);
	return {
		manifest: manifest.version,
		lock: [lock.version, lock.packages['']?.version],
		changelog: await read('CHANGELOG.md'),
		// Outside a git repository there are no tags.
		tags: code === 0 ? output.split('\n') : [],
	};
}

async function build(): Promise<Finding> {
	const { code, output } = await run('npm', ['run', '--silent', 'build'], projectFolder);
	return {
		name: 'The package builds',
		problems: code === 0 ? [] : [`Mend what the compiler says:\n${output}`],
	};
}

async function unpack(tarball: string, folder: string): Promise<string> {
	await mkdir(folder);
	const { code, output } = await run(
		'tar',
		['-xzf', tarball, '-C', folder, '--strip-components=1'],
		projectFolder,
	);
	if (code !== 0) throw new Error(`tar could not unpack ${tarball}: ${output}`);
	return folder;
}

function read(file: string): Promise<string> {
	return readFile(join(projectFolder, file), 'utf8');
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exit(1);
	},
);
