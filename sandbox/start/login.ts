import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Login, N8nClient } from '../n8n/index';

/**
 * Creates the owner of a new n8n, or logs in to one from an earlier start.
 *
 * @returns the login, to tell the user
 */
export async function logIn(client: N8nClient, userFolder: string): Promise<Login> {
	const login = await loginFor(userFolder);
	if (await client.setupOwner(login)) return login;
	try {
		await client.logIn(login);
		return login;
	} catch (cause) {
		throw new Error(
			`Could not log in to n8n as ${login.email}. To begin anew, remove ${userFolder}`,
			{ cause },
		);
	}
}

/**
 * The login for the n8n in a user folder: made up at the first start, for this machine only, and
 * kept in the folder.
 */
async function loginFor(userFolder: string): Promise<Login> {
	const file = join(userFolder, 'login.json');
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Login;
	} catch {
		const login = {
			email: 'owner@example.com',
			// n8n wants a capital letter and a digit.
			password: `Leads-1-${randomBytes(6).toString('hex')}`,
		};
		await mkdir(userFolder, { recursive: true });
		await writeFile(file, JSON.stringify(login), { mode: 0o600 });
		return login;
	}
}
