/** What a poll says about answers that were lost, and that the service has charged. */
import type { INodeParameters } from 'n8n-workflow';

import type { FaultAction } from '../../sandbox/service';
import { PolledWorkflow } from './pollCore';
import { useService } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();

/** A poll for 20 leads whose first answer is charged and doesn't arrive. */
async function pollWithLoss(fault: FaultAction, options: INodeParameters = {}) {
	const account = shared.service.admin.createAccount();
	const workflow = await PolledWorkflow.create(
		{ filters: { personLocationCountry: 'Iceland' }, leadsPerPoll: 20, options },
		{ baseUrl: shared.service.baseUrl, apiKey: account.apiKey },
	);
	shared.service.admin.addFault({ ...fault, account: account.id });
	const leads = await workflow.poll();
	return { account, workflow, leads };
}

const LOSSES: FaultAction[] = [
	{ kind: 'loseAfterAnswer' },
	{ kind: 'loseMidAnswer' },
	{ kind: 'status', status: 504, charge: true },
];

test.each(LOSSES)(
	'an answer that was lost is told, though asking again brought the leads (%j)',
	async (fault) => {
		const { account, workflow, leads } = await pollWithLoss(fault);
		expect(leads).toHaveLength(20);
		expect(account.spent.apiCredits).toBe(40);
		expect(workflow.warnings.join('\n')).toMatch(/[Uu]p to 20 credits may have been charged/);
	},
);

test.each([{ maxCredits: 20 }, { maxCreditsPerDay: 20 }, { maxCreditsInTotal: 20 }])(
	'an answer that was lost is told, though it used up what a poll may spend (%j)',
	async (options) => {
		const { account, workflow, leads } = await pollWithLoss(
			{ kind: 'loseAfterAnswer' },
			options,
		);
		expect(leads).toEqual([]);
		expect(account.spent.apiCredits).toBe(20);
		expect(workflow.warnings.join('\n')).toMatch(/[Uu]p to 20 credits may have been charged/);
	},
);
