/**
 * Prints every row of a SQLite database, a line of JSON each: `node print-rows.mjs <database>`.
 * Needs a Node that has `node:sqlite`, so it runs with the one that n8n runs with.
 */
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const database = new DatabaseSync(process.argv[2], { readOnly: true });
await pipeline(Readable.from(lines()), process.stdout);

function* lines() {
	const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
	for (const { name } of tables) {
		const rows = database.prepare(`SELECT * FROM "${name}"`);
		rows.setReadBigInts(true);
		for (const row of rows.iterate()) yield `${name} ${JSON.stringify(row, asText)}\n`;
	}
}

function asText(_key, value) {
	if (typeof value === 'bigint') return String(value);
	return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}
