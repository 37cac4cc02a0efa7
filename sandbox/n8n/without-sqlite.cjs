/**
 * Replaces `sqlite3` with an empty module. n8n's AI Agent loads it although the data is in PostgreSQL, and fails without
 * its compiled part, which isn't on npm.
 */
const Module = require('node:module');

const load = Module._load;
Module._load = (request, ...more) => (request === 'sqlite3' ? {} : load(request, ...more));
