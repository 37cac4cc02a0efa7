/**
 * n8n's AI Agent loads `sqlite3`, wherever n8n keeps its data, and fails without its compiled part,
 * which is not on npm. Nothing here uses it, so n8n gets an empty module in its place.
 */
const Module = require('node:module');

const load = Module._load;
Module._load = (request, ...more) => (request === 'sqlite3' ? {} : load(request, ...more));
