/** Tests Lead Search in n8n's Engine 2, which gives each step of an execution empty shared data. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';

import { manualTrigger, node } from '../../sandbox/n8n/index';
import { temporaryFolder } from '../../sandbox/paths';
import { startPostgres } from '../../sandbox/postgres';
import { credentialOf, leadSearch, looped, useN8n } from './harness';

const env: Record<string, string> = {
	N8N_ENABLED_MODULES: 'engine-v2',
	N8N_ENGINE_HOST: '127.0.0.1',
};
const closers: Array<() => Promise<unknown>> = [];
beforeAll(async () => {
	const folder = await temporaryFolder();
	closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
	const { connection, stop } = await startPostgres(join(folder, 'postgres'));
	closers.push(stop);
	const { host, port, database, user, password } = connection;
	env.N8N_ENGINE_DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
	env.N8N_ENGINE_PORT = String(await getPort({ host }));
	env.N8N_ENGINE_BASE_URL = `http://${host}:${env.N8N_ENGINE_PORT}`;
	env.N8N_ENGINE_CONTROL_PLANE_PORT = String(await getPort({ host }));
	env.N8N_ENGINE_CONTROL_PLANE_BASE_URL = `http://${host}:${env.N8N_ENGINE_CONTROL_PLANE_PORT}`;
});
afterAll(async () => {
	for (const close of closers.reverse()) await close();
});

const n8n = useN8n(env);

test('a loop of three searches for 50 leads each spends 60 credits in total with Max Credits 60 and a Credit Ceiling of 60', async () => {
	const account = n8n.service.admin.createAccount();
	const credential = await credentialOf(n8n, { ...account, creditCeiling: 60 });
	const set = node('Set', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		options: {},
		jsonOutput: JSON.stringify({ countries: ['Iceland', 'Germany', 'France'] }),
	});
	const field = { fieldToSplitOut: 'countries', options: {} };
	const split = node('Split', 'n8n-nodes-base.splitOut', 1, field);
	const search = leadSearch(
		{
			filters: { personLocationCountry: '={{ $json.countries }}' },
			limit: 50,
			maxCredits: 60,
		},
		credential,
		{ onError: 'continueRegularOutput' },
	);
	const execution = await n8n.client.execute({
		...looped('Engine 2', [manualTrigger, set, split], search),
		settings: { executionOrder: 'v1', engineType: 'v2' },
	});
	expect(execution.status).toBe('success');
	const charged = n8n.service.admin.requests({ account: account.id }).map((one) => one.charged);
	expect(charged).toEqual([50, 10]);
	const spent = "'Max Credits' (60 credits) is spent, so nothing is returned";
	expect(execution.node(search.name).outputs[0]).toMatchObject([{ json: { error: spent } }]);
});
