/** Lead Search Trigger in a real n8n, which polls by itself when a workflow is activated or loaded. */
import { chain, N8nClient, startN8n, type N8n, type SavedWorkflow } from '../../sandbox/n8n/index';
import {
	leadsChargedTwice,
	startService,
	urlsMatching,
	type LeadService,
} from '../../sandbox/service';
import { until } from '../../sandbox/until';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();
const people = urlsMatching({ person_location_country: ['Iceland'] });
let service: LeadService;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => {
	await service.close();
});

/** URLs that the nth execution of a workflow was started with, once it is there. */
async function delivered(client: N8nClient, workflow: SavedWorkflow, nth: number) {
	const id = await until(`there is an execution number ${nth}`, async () =>
		(await client.executions(workflow)).at(-nth),
	);
	const execution = await client.waitForExecution(id);
	return execution.items('Lead Search Trigger').map(({ json }) => json.linkedin_url);
}

test('the place outlives deactivation and a restart; each lead comes and is paid for once', async () => {
	const account = service.admin.createAccount();
	const { client, server } = n8n;
	const credential = await credentialOf(client, service, account);
	const workflow = await client.createWorkflow(
		chain('Pull', [
			{
				name: 'Lead Search Trigger',
				type: 'n8n-nodes-lead-search.leadSearchTrigger',
				typeVersion: 1,
				parameters: {
					pollTimes: { item: [{ mode: 'everyX', unit: 'hours', value: 12 }] },
					filters: { personLocationCountry: 'Iceland' },
					leadsPerPoll: 20,
				},
				credentials: { leadSearchApi: { id: credential.id, name: credential.name } },
			},
			{
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				parameters: {},
			},
		]),
	);

	await client.activate(workflow);
	expect(await delivered(client, workflow, 1)).toEqual(people.slice(0, 20));

	await client.deactivate(workflow);
	await client.activate(workflow);
	expect(await delivered(client, workflow, 2)).toEqual(people.slice(20, 40));

	await server.stop();
	let again: N8n | undefined;
	try {
		again = await startN8n({ userFolder: server.userFolder });
		const later = new N8nClient(again.url);
		await later.logIn();
		expect(await delivered(later, workflow, 3)).toEqual(people.slice(40, 60));
	} finally {
		await again?.stop();
	}
	expect(account.spent.apiCredits).toBe(60);
	expect(leadsChargedTwice(account)).toEqual([]);
});
