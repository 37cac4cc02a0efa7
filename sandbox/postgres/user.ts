import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Who PostgreSQL runs as. */
export interface DatabaseUser {
	/** What to put before a command to run it as this user; empty for ourselves. */
	readonly prefix: readonly string[];
	/** User and group who must own its data, when that isn't ourselves. */
	readonly ids?: readonly [number, number];
}

/** What to start to run a program as somebody. */
export interface Command {
	readonly command: string;
	readonly args: readonly string[];
}

/** The command that runs a program as the user. */
export function commandAs(user: DatabaseUser, program: string, args: readonly string[]): Command {
	const [first, ...others] = user.prefix;
	return first === undefined
		? { command: program, args }
		: { command: first, args: [...others, program, ...args] };
}

/** PostgreSQL refuses to run as root; then Debian's user for it takes our place. */
export async function databaseUser(): Promise<DatabaseUser> {
	if (process.getuid?.() !== 0) return { prefix: [] };
	const [uid, gid] = [await idOf('-u'), await idOf('-g')];
	return {
		prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'],
		ids: [uid, gid],
	};
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
	const { stdout } = await run('id', [flag, 'postgres']);
	return Number(stdout);
}
