const { dest, parallel, src } = require('gulp');

/** Files that n8n loads beside the code: icons, codex files that say where a node belongs, schemas. */
const icons = () => src(['{nodes,credentials}/**/*.svg'], { base: '.' }).pipe(dest('dist'));
const codex = () => src(['nodes/**/*.node.json'], { base: '.' }).pipe(dest('dist'));
const schemas = () => src(['nodes/**/__schema__/**/*.json'], { base: '.' }).pipe(dest('dist'));

exports.default = parallel(icons, codex, schemas);
