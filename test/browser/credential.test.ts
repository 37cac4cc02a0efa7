/** The credential dialog: its fields, and the test that n8n makes when it is saved. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CredentialDialog } from '../../sandbox/browser/index';
import { freePort } from '../../sandbox/free-port';
import { useEditor } from './harness';

const bench = useEditor();
/** n8n adds it to every credential that its HTTP Request node can use. */
const n8nsField = 'Allowed HTTP Request Domains';
const search = { resource: 'lead', operation: 'search' };
const nothingSaid = { success: false };

/** Opens the dialog of a saved credential that works. */
async function workingCredential(): Promise<CredentialDialog> {
	const panel = await bench.openNode(search, { account: bench.openAccount() });
	const dialog = await panel.editCredential();
	await dialog.passed();
	return dialog;
}

/** Saves what was typed, and reads what the test says. */
async function refusal(dialog: CredentialDialog): Promise<string> {
	await dialog.save();
	return await dialog.refusal();
}

describe('A new credential', () => {
	test.each([
		['API Key as Bearer', 'apiKey', 'API Key', 'bearer'],
		['API Key as X-API-Key', 'apiKey', 'API Key', 'xApiKey'],
		['Session Token', 'sessionToken', 'Session Token', 'bearer'],
	] as const)('%s shows its fields, passes and is chosen', async (way, field, label, style) => {
		const account = bench.openAccount();
		const panel = await bench.openNode(search);
		const dialog = await panel.connect();
		await dialog.authenticateBy(way);
		await dialog.input(field).waitFor();
		expect(await dialog.labels()).toEqual(['Base URL', 'Authentication', label, n8nsField]);

		await dialog.fill('baseUrl', bench.service.baseUrl);
		await dialog.fill(field, account[field]);
		expect(await dialog.input(field).getAttribute('type')).toBe('password');
		await dialog.save();
		await dialog.closed();
		expect(bench.service.admin.requests({ account: account.id })).toMatchObject([
			{ path: '/api/linkedin/lookup', headerStyle: style, charged: 0 },
		]);
		await panel.credential.getByTestId('credential-edit-button').waitFor();
	});

	test('can be saved only with all that it needs', async () => {
		const dialog = await (await bench.openNode(search)).connect();
		await dialog.fill('baseUrl', bench.service.baseUrl);
		expect(await dialog.saveButton.isDisabled()).toBe(true);
		await dialog.fill('apiKey', 'some-key');
		expect(await dialog.saveButton.isEnabled()).toBe(true);
	});
});

describe('A credential that fails says why', () => {
	test('the key is wrong', async () => {
		const dialog = await workingCredential();
		await dialog.fill('apiKey', 'wrong-key');
		const told = await refusal(dialog);
		expect(told).toContain('The API key was not accepted (401).');
		expect(told).not.toContain('wrong-key');
	});

	test('the session token is wrong', async () => {
		const dialog = await workingCredential();
		await dialog.authenticateBy('Session Token');
		await dialog.fill('sessionToken', 'wrong-token');
		expect(await refusal(dialog)).toContain('The session token was not accepted (401).');
	});

	test('no credits are left, though the key was accepted', async () => {
		const dialog = await workingCredential();
		bench.service.admin.addFault({ kind: 'status', status: 402, body: nothingSaid });
		await dialog.fill('apiKey', bench.openAccount().apiKey);
		expect(await refusal(dialog)).toContain(
			'The API key was accepted, but no API credits are left.',
		);
	});

	test('the service is down', async () => {
		const dialog = await workingCredential();
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		await dialog.fill('baseUrl', baseUrl);
		const told = await refusal(dialog);
		expect(told).toContain(`Can't reach Base URL ${baseUrl}.`);
		expect(told).toContain('The connection was refused');
	});

	test('the address is none', async () => {
		const dialog = await workingCredential();
		await dialog.fill('baseUrl', 'leads.example.com');
		expect(await refusal(dialog)).toContain(
			"'Base URL' does not start with https:// or http://",
		);
	});

	test.each<[string, RequestListener]>([
		['has a web page', (_, answer) => void answer.end('<html><body>Welcome</body></html>')],
		['has nothing', (_, answer) => void answer.writeHead(404).end()],
		['redirects', (_, answer) => void answer.writeHead(302, { location: '/login' }).end()],
	])('the address %s', async (_, listener) => {
		const dialog = await workingCredential();
		const { server, url } = await listen(listener);
		await dialog.fill('baseUrl', url);
		const told = await refusal(dialog);
		server.close();
		expect(told).toContain("This doesn't look like the lead search service; check Base URL.");
		expect(told).toContain(url);
	});

	test('the words of the service stand as the service said them', async () => {
		const dialog = await workingCredential();
		const message = `Key "a" isn't <b>known</b> & <img src=x onerror="document.title='taken'">`;
		bench.service.admin.addFault({ kind: 'status', status: 401, body: { message } });
		await dialog.fill('apiKey', 'wrong-key');
		expect(await refusal(dialog)).toContain(`The service said: "${message}".`);
		expect(await dialog.dialog.locator('b, img[src=x]').count()).toBe(0);
	});
});

async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { server, url: `http://127.0.0.1:${port}` };
}
