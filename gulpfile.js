/** Tasks of `npm run build` before and after the compiler: empties `dist`, and copies files that aren't compiled. */
const { rm } = require('node:fs/promises');

const { dest, src } = require('gulp');

/** Icons, codex files, and schemas of each operation's output. */
const assets = [
	'credentials/**/*.{png,svg}',
	'nodes/**/*.{png,svg}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

exports.clean = () => rm('dist', { recursive: true, force: true });

// `encoding: false`, because gulp would read images as text.
exports.copy = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
