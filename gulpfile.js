/** What `npm run build` does beside the compiler: `dist` begins empty, and gets the files that n8n reads as they are. */
const { rm } = require('node:fs/promises');

const { dest, src } = require('gulp');

/** Icons, codex files, and schemas of what each operation returns. */
const assets = [
	'credentials/**/*.{png,svg}',
	'nodes/**/*.{png,svg}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

exports.clean = () => rm('dist', { recursive: true, force: true });

// Without an encoding, since gulp would read pictures as text.
exports.copy = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
