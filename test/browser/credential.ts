/** Tests the dialog of the credential, and the messages of the credential test. */
import { chooseOption, openedDialog, shown } from '../../sandbox/browser/panels';
import type { CredentialDialog, NodePanel } from '../../sandbox/browser/panels';
import { fixture } from './fixture';

const search = { resource: 'lead', operation: 'buyLeads' };
const key = { field: 'apiKey', label: 'API Key', refused: 'The API key was not accepted (401).' };
const token = {
	field: 'sessionToken',
	label: 'Session Token',
	refused: 'The session token was not accepted (401).',
};

async function connect({ credential }: NodePanel): Promise<CredentialDialog> {
	const { page } = fixture.editor;
	const first = credential.getByTestId('node-credentials-empty-state');
	const select = credential.getByTestId('node-credentials-select');
	await first.or(select).waitFor();
	if (await first.isVisible()) {
		await first.getByRole('button').click();
	} else {
		await select.locator('input').click();
		await shown(page.getByTestId('node-credentials-select-item-new')).click();
	}
	return await openedDialog(page);
}

/** Returns the Save button. n8n tests a credential when it is saved, and closes the dialog of a new one that passes. */
const saveButton = ({ dialog }: CredentialDialog) =>
	dialog.getByTestId('credential-save-button').getByRole('button', { name: 'Save' });

describe('A new credential', () => {
	test.each([
		{ way: 'API Key as Bearer', ...key, headerStyle: 'bearer' },
		{ way: 'Session Token', ...token, headerStyle: 'bearer' },
	])(
		'a wrong credential with $way is refused with a message, and the right one is saved and chosen',
		async (kind) => {
			const account = fixture.openAccount();
			const panel = await fixture.openNode(search);
			const dialog = await connect(panel);
			await dialog.dialog.getByTestId('parameter-input-authentication').click();
			await chooseOption(fixture.editor.page, kind.way);
			const secret = dialog.input(kind.field);
			await secret.waitFor();
			expect(await secret.getAttribute('type')).toBe('password');
			// n8n adds the last label to every credential that its HTTP Request node can use.
			const labels = `Base URL, Authentication, ${kind.label}, Credit Ceiling, Allowed HTTP Request Domains`;
			expect((await dialog.labels()).join(', ')).toBe(labels);

			await dialog.input('baseUrl').fill(fixture.service.baseUrl);
			const message = await saveRefused(dialog, kind.field, 'wrong-one');
			expect(message).toContain(kind.refused);
			expect(message).not.toContain('wrong-one');

			await secret.fill(kind.field === 'apiKey' ? account.apiKey : account.sessionToken);
			await saveButton(dialog).click();
			await dialog.dialog.waitFor({ state: 'hidden' });
			expect(fixture.service.admin.requests({ account: account.id })).toMatchObject([
				{ path: '/api/linkedin/lookup', headerStyle: kind.headerStyle, charged: 0 },
			]);
			await panel.credential.getByTestId('credential-edit-button').waitFor();
		},
	);

	test('a new credential can be saved only with all required fields', async () => {
		const dialog = await connect(await fixture.openNode(search));
		await dialog.input('baseUrl').fill(fixture.service.baseUrl);
		expect(await saveButton(dialog).isDisabled()).toBe(true);
		await dialog.input('apiKey').fill('some-key');
		expect(await saveButton(dialog).isEnabled()).toBe(true);
	});
});

async function saveRefused(dialog: CredentialDialog, field: string, text: string): Promise<string> {
	await dialog.input(field).fill(text);
	await saveButton(dialog).click();
	const banner = shown(dialog.dialog.locator('.el-tag--danger')).filter({
		hasText: 'Couldn’t connect with these settings',
	});
	await banner.getByText('More details').click();
	await banner.getByText('More details').waitFor({ state: 'hidden' });
	return (await banner.innerText()).trim();
}

test("the credential test quotes the service's message unchanged, and not as HTML", async () => {
	const panel = await fixture.openNode(search, { account: fixture.openAccount() });
	const dialog = await panel.editCredential();
	await dialog.passed();
	const message = `Key "a" isn't <b>known</b> & <img src=x onerror="document.title='taken'">`;
	fixture.service.admin.addFault({ kind: 'status', status: 401, body: { message } });
	expect(await saveRefused(dialog, 'apiKey', 'wrong-key')).toContain(
		`The service said: "${message}".`,
	);
	expect(await dialog.dialog.locator('b, img[src=x]').count()).toBe(0);
	expect(await fixture.editor.page.title()).not.toContain('taken');
});
