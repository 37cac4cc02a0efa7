import type { Locator } from 'playwright-core';

import { fixture } from './fixture';
import { search } from './search';

/** What a service might say that would do harm as HTML. */
const hostile = `Plan "Basic" isn't <b>enough</b> & <img src=x onerror="document.title='taken'">`;
/** On a whole page: the one after it was to come. */
const ranOut = 'Not enough API credits (402): 10 leads fetched before they ran out';

describe('A run that stops for lack of credits (402)', () => {
	test('with Stop Workflow shows what happened and how to go on', async () => {
		const panel = await fixture.openNode(
			search({ returnAll: true, options: { pageSize: 25, parallelPages: 1 } }),
			{
				account: fixture.openAccount(60),
			},
		);
		await panel.execute();
		await expectText(
			panel.output.message,
			'Not enough API credits (402): 60 leads fetched; no credits left to tell whether more follow',
		);
		await expectText(
			panel.output.description,
			"Get more API credits in the lead service's dashboard, then run again. " +
				'The service said: "Not enough credits". ' +
				'Your 60 leads are kept for 60 minutes. Run again (or Retry under Executions): ' +
				'you pay only for the rest.',
		);
	});

	test('with Continue shows the leads and one more item', async () => {
		const panel = await fixture.openNode(search({ returnAll: true, options: { pageSize: 5 } }), {
			account: fixture.openAccount(10),
			onError: 'continueRegularOutput',
		});
		await panel.execute();
		await panel.output.showTable();
		await panel.output.panel.getByText('11 items', { exact: true }).waitFor();
		expect((await panel.output.columns()).slice(-3)).toEqual(['error', 'message', 'details']);
		await panel.output.table.getByText(ranOut).waitFor();
	});

	test('with Continue (using error output) shows each on an output of its own', async () => {
		const panel = await fixture.openNode(search({ returnAll: true, options: { pageSize: 5 } }), {
			account: fixture.openAccount(10),
			onError: 'continueErrorOutput',
		});
		await panel.execute();
		await panel.output.showTable();
		await panel.output.panel.getByText('Success Branch (10 items)').waitFor();
		await panel.output.showBranch('Error');
		await panel.output.table.getByText(ranOut).waitFor();
		expect(await panel.output.columns()).toEqual(['error', 'message', 'details']);
	});
});

describe('What the service says is text, not HTML', () => {
	beforeEach(() => {
		fixture.service.admin.addFault({
			kind: 'status',
			status: 402,
			body: { message: hostile },
		});
	});

	afterEach(async () => {
		expect(await fixture.editor.page.locator('b, img[src=x]').count()).toBe(0);
		expect(await fixture.editor.page.title()).not.toContain('taken');
	});

	test('in the description of a run that stopped', async () => {
		const panel = await fixture.openNode(search(), { account: fixture.openAccount() });
		await panel.execute();
		await panel.output.description.getByText(`The service said: "${hostile}".`).waitFor();
	});

	test('in the item of a run that went on', async () => {
		const panel = await fixture.openNode(search(), {
			account: fixture.openAccount(),
			onError: 'continueRegularOutput',
		});
		await panel.execute();
		await panel.output.showTable();
		await panel.output.table.getByText(`The service said: "${hostile}".`).waitFor();
	});

	test('in the message of a refused request', async () => {
		fixture.service.admin.clearFaults();
		const body = { message: hostile };
		fixture.service.admin.addFault({ kind: 'status', status: 422, body, times: 2 });
		const panel = await fixture.openNode(search(), { account: fixture.openAccount() });
		await panel.execute();
		await expectText(
			panel.output.message,
			`The lead service refused the request (422): ${hostile.replaceAll('<', '‹').replaceAll('>', '›')}`,
		);
	});
});

describe('Before anything is sent', () => {
	test('a parameter that cannot be used is named', async () => {
		const panel = await fixture.openNode(
			{
				resource: 'linkedInProfile',
				operation: 'buyProfiles',
				linkedinUrls: 'example.com/jane',
			},
			{ account: fixture.openAccount() },
		);
		await panel.execute();
		await panel.output.message.getByText("'LinkedIn URLs' holds").waitFor();
	});

	test('a session token that Search cannot use is named', async () => {
		const panel = await fixture.openNode(search(), {
			account: fixture.openAccount(),
			authentication: 'sessionToken',
		});
		await panel.execute();
		await panel.output.message
			.getByText('A session token works for LinkedIn lookup only; Search needs an API key')
			.waitFor();
	});
});

/** Expects an element to hold this text and no other. */
async function expectText(element: Locator, text: string): Promise<void> {
	await element.waitFor();
	expect((await element.innerText()).trim()).toBe(text);
}
