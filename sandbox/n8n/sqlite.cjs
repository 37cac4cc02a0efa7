/**
 * Replaces `sqlite3` by Node's own SQLite, because the compiled part of `sqlite3` isn't on npm. n8n uses it if its data
 * is in SQLite. n8n's AI Agent loads it in any case.
 */
const { setImmediate } = require('node:timers');
const Module = require('node:module');

const OPEN_READONLY = 1;
/** Names by which n8n recognizes errors, by SQLite's primary result code. */
const ERRORS = { 5: 'SQLITE_BUSY', 6: 'SQLITE_LOCKED', 19: 'SQLITE_CONSTRAINT' };

/** Does the same as the class of `sqlite3`, as far as n8n uses it. Statements run at once, and callbacks later. */
class Database {
	constructor(path, flags, opened) {
		const isFlagged = typeof flags === 'number';
		this.call(isFlagged ? opened : flags, () => {
			// An older Node, which runs n8n 1, has no SQLite.
			const { DatabaseSync } = require('node:sqlite');
			this.connection = new DatabaseSync(path, {
				readOnly: isFlagged && (flags & OPEN_READONLY) !== 0,
				// Migrations of n8n need these three.
				enableForeignKeyConstraints: false,
				enableDoubleQuotedStringLiterals: true,
				defensive: false,
			});
			return {};
		});
	}

	run(sql, ...more) {
		this.query(sql, more, (statement, values) => {
			const { lastInsertRowid, changes } = statement.run(...values);
			return { context: { lastID: Number(lastInsertRowid), changes: Number(changes) } };
		});
	}

	all(sql, ...more) {
		this.query(sql, more, (statement, values) => ({ result: statement.all(...values).map(toRow) }));
	}

	close(closed) {
		this.call(closed, () => {
			this.connection.close();
			return {};
		});
	}

	query(sql, more, act) {
		const [done, parameters] = more.reverse();
		this.call(done, () => act(this.connection.prepare(sql), (parameters ?? []).map(toValue)));
	}

	/** Acts now, and calls back later with the result or the error. */
	call(done = () => undefined, act) {
		try {
			const { context = {}, result } = act();
			setImmediate(() => done.call(context, null, result));
		} catch (error) {
			const code = ERRORS[error.errcode & 255] ?? 'SQLITE_ERROR';
			setImmediate(() =>
				done(Object.assign(error, { code, message: `${code}: ${error.message}` })),
			);
		}
	}
}

function toValue(value) {
	if (typeof value === 'boolean') return Number(value);
	if (value instanceof Date) return value.getTime();
	return value ?? null;
}

function toRow(row) {
	const entries = Object.entries(row);
	return Object.fromEntries(
		entries.map(([name, value]) => [
			name,
			value instanceof Uint8Array ? Buffer.from(value) : value,
		]),
	);
}

const sqlite3 = { Database, OPEN_READONLY, OPEN_URI: 64, verbose: () => sqlite3 };
const load = Module._load;
Module._load = (request, ...more) => (request === 'sqlite3' ? sqlite3 : load(request, ...more));
