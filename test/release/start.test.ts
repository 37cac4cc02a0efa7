/** Checks what `npm start` does before it installs anything. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import execa from 'execa';

import { projectFolder, sandboxFolder } from '../../sandbox/paths';
import { read } from './project';

/** A copy of the program, without packages and lock files, so that an installation fails. */
const folder = mkdtempSync(join(tmpdir(), 'start-'));
const isOwnFile = (path: string) =>
	!/[\\/](node_modules|\.home|locks|package-lock\.json)$/.test(path);

beforeAll(() => {
	cpSync(sandboxFolder, join(folder, 'sandbox'), { recursive: true, filter: isOwnFile });
	cpSync(join(projectFolder, 'package.json'), join(folder, 'package.json'));
});

afterAll(() => {
	rmSync(folder, { recursive: true });
});

const start = (...args: string[]) =>
	execa.node(join(folder, 'sandbox', 'run.mjs'), ['start', ...args], { reject: false });

test.each(['--help', '-h'])(
	'`npm start -- %s` prints all options and succeeds, and installs nothing',
	async (help) => {
		const { exitCode, stdout, stderr } = await start(help);
		expect([exitCode, stderr]).toEqual([0, '']);
		for (const option of ['--once', '--crms', '--port', '--help']) expect(stdout).toContain(option);
		expect(stdout).not.toContain('Installing');
		expect(readdirSync(folder).sort()).toEqual(['package.json', 'sandbox']);
	},
);

test.each([
	['--prot 80', "Unknown option '--prot'"],
	['--port 0', '--port takes a number from 1 to 65535, not "0"'],
])(
	'`npm start -- %s` fails with a message and all options, and installs nothing',
	async (args, message) => {
		const { exitCode, stdout, stderr } = await start(...args.split(' '));
		expect([exitCode, stdout]).toEqual([1, '']);
		expect(stderr).toContain(message);
		expect(stderr).toContain('--crms');
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
	},
);

test('the README names each option of `npm start`', async () => {
	const { stdout } = await start('--help');
	const options = [...stdout.matchAll(/^ {2}(--\w+)/gm)].map(([, option = '']) => option);
	expect(options.length).toBeGreaterThan(3);
	for (const option of options) expect(read('README.md')).toContain(`\`npm start -- ${option}`);
});
