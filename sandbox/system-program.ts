import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import execa from 'execa';

/** Programs that come with the system, not from npm. */
const programs = {
	redis: { name: 'Redis', debianPackage: 'redis-server', places: inPath('redis-server') },
	chromium: {
		name: 'Chromium',
		debianPackage: 'chromium',
		places: [
			...inPath('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'),
			'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
			'/Applications/Chromium.app/Contents/MacOS/Chromium',
			'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
		],
	},
} as const;

/**
 * The path of a program; installs Debian's package of it where there is none, on Debian as root.
 * The environment variable CHROMIUM names one that is in an unusual place.
 *
 * @throws Error that says what to install.
 */
export async function needProgram(program: keyof typeof programs): Promise<string> {
	const { name, debianPackage, places } = programs[program];
	const named = program === 'chromium' ? (process.env.CHROMIUM ?? '') : '';
	if (named !== '') {
		if (existsSync(named)) return named;
		throw new Error(`CHROMIUM names ${named}, and nothing is there.`);
	}
	const find = () => places.find((place) => existsSync(place));
	if (find() === undefined && isDebian() && process.getuid?.() === 0) {
		process.stdout.write(`Installing Debian's ${debianPackage}: about a minute, once\n`);
		const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
		const install = ['install', '-y', '--no-install-recommends', debianPackage];
		await execa('apt-get', ['update', '--quiet'], options);
		await execa('apt-get', install, options);
	}
	const found = find();
	if (found !== undefined) return found;
	throw new Error(
		`There is no ${name} on this machine: install it, on Debian with \`apt-get install ${debianPackage}\`.`,
	);
}

function inPath(...names: string[]): string[] {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** Systems derived from Debian may give a package that only fetches something else under its name. */
function isDebian(): boolean {
	return (
		existsSync('/etc/os-release') &&
		/^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
	);
}
