import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CredentialDialog } from '../../sandbox/browser/panels';
import { useNobody } from '../nobody';
import { fixture } from './fixture';

const nobody = useNobody();

/** Addresses where something other than the lead service answers. */
const strangers: Readonly<Record<string, RequestListener>> = {
	'a web page': (_, answer) => void answer.end('<html><body>Welcome</body></html>'),
	nothing: (_, answer) => void answer.writeHead(404).end(),
	'a redirect': (_, answer) => void answer.writeHead(302, { location: '/login' }).end(),
};

/** Opens the dialog of a saved credential that works. */
async function workingCredential(): Promise<CredentialDialog> {
	const panel = await fixture.openNode(
		{ resource: 'lead', operation: 'buyLeads' },
		{ account: fixture.openAccount() },
	);
	const dialog = await panel.editCredential();
	await dialog.passed();
	return dialog;
}

/** Types into a field, saves, and reads what the test says. */
async function refusal(dialog: CredentialDialog, field: string, text: string): Promise<string> {
	await dialog.input(field).fill(text);
	await dialog.saveButton.click();
	return await dialog.refusal();
}

describe('The test of a credential says', () => {
	test('that the key is right, but no credits are left', async () => {
		const dialog = await workingCredential();
		const body = { success: false };
		fixture.service.admin.addFault({ kind: 'status', status: 402, body });
		expect(await refusal(dialog, 'apiKey', fixture.openAccount().apiKey)).toContain(
			'The API key was accepted, but no API credits are left.',
		);
	});

	test('that the address is none', async () => {
		const dialog = await workingCredential();
		expect(await refusal(dialog, 'baseUrl', 'leads.example.com')).toContain(
			"'Base URL' does not start with https:// or http://",
		);
	});

	test('that nobody is at the address', async () => {
		const dialog = await workingCredential();
		const told = await refusal(dialog, 'baseUrl', nobody.url);
		expect(told).toContain(`Can't reach Base URL ${nobody.url}.`);
		expect(told).toContain('The connection was refused');
	});

	test.each(Object.entries(strangers))('that the address has %s', async (_, stranger) => {
		const dialog = await workingCredential();
		const { server, url } = await listen(stranger);
		try {
			const told = await refusal(dialog, 'baseUrl', url);
			expect(told).toContain("This doesn't look like the lead search service; check Base URL.");
			expect(told).toContain(url);
		} finally {
			server.close();
		}
	});

	test('the words of the service as the service said them', async () => {
		const dialog = await workingCredential();
		const message = `Key "a" isn't <b>known</b> & <img src=x onerror="document.title='taken'">`;
		fixture.service.admin.addFault({ kind: 'status', status: 401, body: { message } });
		expect(await refusal(dialog, 'apiKey', 'wrong-key')).toContain(
			`The service said: "${message}".`,
		);
		expect(await dialog.dialog.locator('b, img[src=x]').count()).toBe(0);
		expect(await fixture.editor.page.title()).not.toContain('taken');
	});
});

async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { server, url: `http://127.0.0.1:${port}` };
}
