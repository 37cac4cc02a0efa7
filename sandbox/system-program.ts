/** Finds programs that the user has to install. */
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const candidates = {
	'redis-server': ['redis-server'],
	chromium: [
		...[process.env.CHROMIUM ?? ''].filter(Boolean),
		'chromium',
		'chromium-browser',
		'google-chrome',
		'google-chrome-stable',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
		'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	],
};

/** Finds a program in the PATH. @throws Error that says what to install if it isn't found */
export function findProgram(program: keyof typeof candidates): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const paths = candidates[program].flatMap((candidate) =>
		folders.map((folder) => resolve(folder, candidate)),
	);
	const found = paths.find((path) => existsSync(path));
	if (found !== undefined) return found;
	throw new Error(
		`${program} is not installed. On Debian, install it with \`apt-get install ${program}\``,
	);
}
