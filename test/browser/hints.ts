import { fixture } from './fixture';
import { search } from './search';

describe('A hint above the output tells of', () => {
	test('a maximum of credits that ended the run', async () => {
		const panel = await fixture.openNode(search({ returnAll: true, options: { maxCredits: 12 } }), {
			account: fixture.openAccount(),
		});
		await panel.execute();
		await panel.output.panel
			.getByText('Max Credits per Execution (12 credits) was reached after 12 leads.')
			.waitFor();
	});

	test('what a run cost, and what was paid for before', async () => {
		const account = fixture.openAccount();
		const panel = await fixture.openNode(search({ limit: 4 }), { account });
		await panel.execute();
		await panel.output.panel.getByText('4 leads for 4 credits, 1 request').waitFor();
		await panel.execute();
		await panel.output.panel.getByText('4 leads for 0 credits, 0 requests').waitFor();
		await panel.output.panel.getByText('All 4 leads were paid for').waitFor();
		await panel.output.panel.getByText('4 items', { exact: true }).waitFor();
		expect(fixture.service.admin.account(account.id).spent.apiCredits).toBe(4);
	});

	test('input items that ask for the same', async () => {
		const panel = await fixture.openNode(search({ limit: 3 }), {
			account: fixture.openAccount(),
			input: [{}, {}, {}],
		});
		await panel.execute();
		await panel.output.panel.getByText('3 input items ask for the same leads.').waitFor();
		await panel.output.panel.getByText('9 items', { exact: true }).waitFor();
	});

	test('answers that were lost', async () => {
		fixture.service.admin.addFault({ kind: 'loseAfterAnswer' });
		const panel = await fixture.openNode(search({ limit: 3 }), {
			account: fixture.openAccount(),
		});
		await panel.execute();
		await panel.output.panel
			.getByText('1 answer was lost or could not be used; up to 3 credits may have been charged.')
			.waitFor();
	});
});
