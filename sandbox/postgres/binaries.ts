import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { findOrInstall } from '../debian-package';

/** Where Debian's packages put PostgreSQL's programs, each version in a folder of its own. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Finds the folder of PostgreSQL's programs; installs Debian's package where there is none and we
 * may.
 *
 * @throws Error that says what to install.
 */
export async function postgresPrograms(): Promise<string> {
	return findOrInstall({ name: 'PostgreSQL', debianPackage: 'postgresql', find });
}

function find(): string | undefined {
	const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
	const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
	const folders = [
		...newestFirst.map((version) => join(debianFolder, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	return folders.find((folder) =>
		['initdb', 'postgres', 'psql'].every((program) => existsSync(join(folder, program))),
	);
}
