import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const places = {
	'redis-server': ['redis-server'],
	chromium: [
		...[process.env.CHROMIUM ?? ''].filter(Boolean),
		...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
		'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	],
};

/** @throws Error that says what to install. */
export function needProgram(program: keyof typeof places): string {
	const folders = (process.env.PATH ?? '').split(delimiter);
	const paths = places[program].flatMap((place) => folders.map((folder) => resolve(folder, place)));
	const found = paths.find((path) => existsSync(path));
	if (found !== undefined) return found;
	throw new Error(
		`There is no ${program}: install it, on Debian by \`apt-get install ${program}\``,
	);
}
