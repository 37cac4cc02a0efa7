/**
 * Polls with n8n's durable scheduler and cursors on: a context for each poll, and the node's own data
 * are all that n8n keeps of a poll without leads. A process has either these polls or the others.
 */
import { urlsMatching, type FaultAction } from '../../sandbox/service';
import { PolledWorkflow } from './pollCore';
import { jsonOf, useService } from './useService';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: () => Promise.resolve(),
}));

const shared = useService();
const people = urlsMatching({ person_location_country: ['Iceland'] });

async function open() {
	const { admin, baseUrl } = shared.service;
	const { id, apiKey, spent } = admin.createAccount();
	const workflow = await PolledWorkflow.create(
		{ filters: { personLocationCountry: 'Iceland' }, leadsPerPoll: 20 },
		{ baseUrl, apiKey },
	);
	workflow.keepDurably();
	return {
		workflow,
		poll: async () => jsonOf(await workflow.poll()).map(({ linkedin_url }) => linkedin_url),
		spent: () => spent.apiCredits,
		addFault: (fault: FaultAction) => admin.addFault({ ...fault, account: id, times: 'always' }),
	};
}

test('a poll for which n8n has read the cursor before the one before ended goes on after it', async () => {
	const { workflow, poll, spent } = await open();
	const before = workflow.copies();
	await poll();
	workflow.setCopies(before);
	expect(await poll()).toEqual(people.slice(20, 40));
	expect(spent()).toBe(40);
});

test('after anything unexpected polls send nothing until the workflow is published again', async () => {
	const { poll, addFault, spent, workflow } = await open();
	await poll();
	const fault = addFault({ kind: 'merge', merge: { page: 9 } });
	expect(await poll()).toHaveLength(20);
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
	workflow.restart();
	expect(await poll()).toEqual([]);
	expect(spent()).toBe(40);
	fault.remove();
	workflow.publish(undefined, 'activate');
	expect(await poll()).toEqual(people.slice(20, 40));
});
