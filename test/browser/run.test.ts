/** Running the node in the editor: the table, the messages, the hints. */
import { randomUUID } from 'node:crypto';

import type { Locator } from 'playwright-core';

import type { WorkflowNode } from '../../sandbox/n8n/index';
import { leadAt, matching } from '../../sandbox/service/index';
import { useEditor } from './harness';

const bench = useEditor();

const search = (more: object = {}) => ({
	resource: 'lead',
	operation: 'search',
	filters: { personLocationCountry: 'Iceland' },
	...more,
});

/** What a service might say that would do harm as HTML. */
const hostile = `Plan "Basic" isn't <b>enough</b> & <img src=x onerror="document.title='taken'">`;

describe('A run that goes well', () => {
	test('Search shows a table of leads, the fields used most first', async () => {
		const panel = await bench.openNode(search({ limit: 7 }), { account: bench.openAccount() });
		await panel.execute();
		await panel.output.showAs('Table');
		const columns = await panel.output.columns();
		expect(columns.slice(0, 5)).toEqual([
			'full_name',
			'job_title',
			'company',
			'work_email',
			'email_status',
		]);
		expect(columns.length).toBeLessThanOrEqual(10);
		const [first = 0] = matching({ person_location_country: ['Iceland'] });
		await panel.output.panel.getByText(leadAt(first).full_name).first().waitFor();
		await panel.output.panel.getByText('7 items', { exact: true }).waitFor();
	});

	test('Look Up shows a table of profiles', async () => {
		const { linkedin_url } = leadAt(0);
		const panel = await bench.openNode(
			{
				resource: 'linkedInProfile',
				operation: 'lookUp',
				linkedinUrls: linkedin_url,
				options: { onlyWithEmails: false },
			},
			{ account: bench.openAccount() },
		);
		await panel.execute();
		await panel.output.showAs('Table');
		expect((await panel.output.columns()).slice(0, 2)).toEqual(['linkedin_url', 'full_name']);
		await panel.output.panel.getByText('1 item', { exact: true }).waitFor();
	});

	test('Preview runs without a credential, from what is typed', async () => {
		const panel = await bench.openNode({ resource: 'lead', operation: 'preview' });
		await panel.fill('Base URL', bench.service.baseUrl);
		await panel.add('Filters', 'Person Country');
		await panel.fill('Person Country', 'Iceland');
		await panel.fill('Limit', '5');
		await panel.execute();
		await panel.output.panel.getByText('5 items', { exact: true }).waitFor();
		expect(bench.service.admin.requests({ path: '/api/preview' }).at(-1)).toMatchObject({
			headerStyle: null,
			body: { person_location_country: ['Iceland'] },
		});
	});
});

describe('A run that stops for lack of credits (402)', () => {
	test('with Stop Workflow shows what happened and how to go on', async () => {
		const panel = await bench.openNode(search({ returnAll: true, options: { pageSize: 25 } }), {
			account: bench.openAccount(60),
		});
		await panel.execute();
		await expectText(
			panel.output.message,
			'Not enough API credits (402): 60 leads fetched before they ran out',
		);
		await expectText(
			panel.output.description,
			"Get more API credits in the lead service's dashboard, then run again. " +
				'The service said: "Not enough credits". ' +
				'60 leads fetched before and charged, but not handed on, because On Error is set ' +
				'to Stop Workflow. To keep what is fetched before a run stops, set On Error to ' +
				'one of the Continue modes. To go on without paying twice, set ' +
				"'Skip' (under Options) to 60. That fetches the leads from number 61 on.",
		);
	});

	test('with Continue shows the leads and one more item', async () => {
		const panel = await bench.openNode(search({ returnAll: true, options: { pageSize: 5 } }), {
			account: bench.openAccount(10),
			onError: 'continueRegularOutput',
		});
		await panel.execute();
		await panel.output.showAs('Table');
		await panel.output.panel.getByText('11 items', { exact: true }).waitFor();
		expect((await panel.output.columns()).slice(-2)).toEqual(['error', 'message']);
		await panel.output.panel
			.getByText('Not enough API credits (402): 10 leads fetched before they ran out')
			.waitFor();
	});
});

describe('What the service says is text, not HTML', () => {
	beforeEach(() => {
		bench.service.admin.addFault({ kind: 'status', status: 402, body: { message: hostile } });
	});

	afterEach(async () => {
		expect(await bench.editor.page.title()).not.toContain('taken');
	});

	test('in the description of a run that stopped', async () => {
		const panel = await bench.openNode(search(), { account: bench.openAccount() });
		await panel.execute();
		await panel.output.description.getByText(`The service said: "${hostile}".`).waitFor();
		expect(await panel.output.panel.locator('b, img[src=x]').count()).toBe(0);
	});

	test('in the item of a run that went on', async () => {
		const panel = await bench.openNode(search(), {
			account: bench.openAccount(),
			onError: 'continueRegularOutput',
		});
		await panel.execute();
		await panel.output.showAs('Table');
		await panel.output.panel.getByText(`The service said: "${hostile}".`).waitFor();
		expect(await panel.output.panel.locator('b, img[src=x]').count()).toBe(0);
	});
});

test('what the service refuses is told in its own words, without markup', async () => {
	const body = { message: hostile };
	bench.service.admin.addFault({ kind: 'status', status: 422, body, times: 2 });
	const panel = await bench.openNode(search(), { account: bench.openAccount() });
	await panel.execute();
	await expectText(
		panel.output.message,
		`The lead service refused the request (422): ${hostile.replaceAll('<', '‹').replaceAll('>', '›')}`,
	);
	expect(await panel.output.panel.locator('b, img[src=x]').count()).toBe(0);
	expect(await bench.editor.page.title()).not.toContain('taken');
});

describe('Hints', () => {
	test('a Credit Budget that ended the run', async () => {
		const panel = await bench.openNode(
			search({ returnAll: true, options: { maxCredits: 12 } }),
			{ account: bench.openAccount() },
		);
		await panel.execute();
		await panel.output.panel
			.getByText('The Credit Budget of 12 credits ended this run: 12 credits spent.')
			.waitFor();
	});

	test('input items that ask for the same', async () => {
		const panel = await bench.openNode(search({ limit: 3 }), {
			account: bench.openAccount(),
			after: [threeItems],
		});
		await panel.execute();
		await panel.output.panel.getByText('3 input items ask for the same leads.').waitFor();
		await panel.output.panel.getByText('9 items', { exact: true }).waitFor();
	});

	test('answers that were lost', async () => {
		bench.service.admin.addFault({ kind: 'loseAfterAnswer' });
		const panel = await bench.openNode(search({ limit: 3 }), {
			account: bench.openAccount(),
		});
		await panel.execute();
		await panel.output.panel
			.getByText('1 answer was lost on the way and asked for again.')
			.waitFor();
	});
});

test('a parameter that cannot be used is named', async () => {
	const panel = await bench.openNode(
		{ resource: 'linkedInProfile', operation: 'lookUp', linkedinUrls: 'example.com/jane' },
		{ account: bench.openAccount() },
	);
	await panel.execute();
	await panel.output.message.getByText("'LinkedIn URLs' of input item 0 holds").waitFor();
});

const threeItems: WorkflowNode = {
	id: randomUUID(),
	name: 'Three items',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: '{}',
		duplicateItem: true,
		duplicateCount: 2,
	},
};

/** Expects an element to hold this text and no other. */
async function expectText(element: Locator, text: string): Promise<void> {
	await element.waitFor();
	expect((await element.innerText()).trim()).toBe(text);
}
