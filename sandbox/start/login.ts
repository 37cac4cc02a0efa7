import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { testLogin, type Login, type N8nClient } from '../n8n/index';

/**
 * Creates the owner of a new n8n, or logs in to one from an earlier start.
 *
 * @param userFolder keeps the login, which is made up at the first start, for this machine only
 * @returns the login, to tell the user
 */
export async function logIn(client: N8nClient, userFolder: string): Promise<Login> {
	const file = join(userFolder, 'login.json');
	if (!existsSync(file)) {
		// n8n wants a capital letter and a digit.
		const password = `Leads-1-${randomBytes(6).toString('hex')}`;
		await writeFile(file, JSON.stringify({ ...testLogin, password }), { mode: 0o600 });
	}
	try {
		const login = JSON.parse(await readFile(file, 'utf8')) as Login;
		if (!(await client.setupOwner(login))) await client.logIn(login);
		return login;
	} catch (cause) {
		const message = `Could not log in to n8n with ${file}. To begin anew, remove ${userFolder}`;
		throw new Error(message, { cause });
	}
}
