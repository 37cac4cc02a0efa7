import { fixture } from './fixture';

/** n8n adds it to every credential that its HTTP Request node can use. */
const n8nsField = 'Allowed HTTP Request Domains';
const search = { resource: 'lead', operation: 'buyLeads' };
const key = { field: 'apiKey', label: 'API Key', refused: 'The API key was not accepted (401).' };
const token = {
	field: 'sessionToken',
	label: 'Session Token',
	refused: 'The session token was not accepted (401).',
};

describe('A new credential', () => {
	test.each([
		{ way: 'API Key as Bearer', ...key, headerStyle: 'bearer' },
		{ way: 'API Key as X-API-Key', ...key, headerStyle: 'xApiKey' },
		{ way: 'Session Token', ...token, headerStyle: 'bearer' },
	])('$way: a wrong one is refused in words, the right one is chosen', async (kind) => {
		const account = fixture.openAccount();
		const panel = await fixture.openNode(search);
		const dialog = await panel.connect();
		await dialog.authenticateBy(kind.way);
		const secret = dialog.input(kind.field);
		await secret.waitFor();
		expect(await secret.getAttribute('type')).toBe('password');
		expect(await dialog.labels()).toEqual([
			'Base URL',
			'Authentication',
			kind.label,
			'Credit Ceiling',
			n8nsField,
		]);

		await dialog.input('baseUrl').fill(fixture.service.baseUrl);
		await dialog.input(kind.field).fill('wrong-one');
		await dialog.saveButton.click();
		const words = await dialog.refusal();
		expect(words).toContain(kind.refused);
		expect(words).not.toContain('wrong-one');

		await secret.fill(kind.field === 'apiKey' ? account.apiKey : account.sessionToken);
		await dialog.saveButton.click();
		await dialog.dialog.waitFor({ state: 'hidden' });
		expect(fixture.service.admin.requests({ account: account.id })).toMatchObject([
			{ path: '/api/linkedin/lookup', headerStyle: kind.headerStyle, charged: 0 },
		]);
		await panel.credential.getByTestId('credential-edit-button').waitFor();
	});

	test('can be saved only with all that it needs', async () => {
		const dialog = await (await fixture.openNode(search)).connect();
		await dialog.input('baseUrl').fill(fixture.service.baseUrl);
		expect(await dialog.saveButton.isDisabled()).toBe(true);
		await dialog.input('apiKey').fill('some-key');
		expect(await dialog.saveButton.isEnabled()).toBe(true);
	});
});
