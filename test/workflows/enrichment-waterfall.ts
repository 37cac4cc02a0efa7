import { urlsMatching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { importWorkflow } from './fixture';
import { startLocalServer } from './localServer';

const known = urlsMatching({ email_status: 'verified' }).slice(0, 3);
const unknown = ['nobody-1', 'nobody-2'].map((name) => `https://www.linkedin.com/in/${name}`);
const [first, second, third] = known;

export function testWorkflow(n8n: TestN8n): void {
	test('three found and two not found: the two alone reach the next provider', async () => {
		using provider = await startLocalServer(({ body }) => {
			const { linkedin_url: url } = body as { linkedin_url: string };
			return { email: `${url.split('/').at(-1)}@example.com` };
		});
		const people = [first, unknown[0], second, third, unknown[1]];
		const items = people.map((linkedin_url) => ({ json: { linkedin_url } }));
		const { account, run } = await importWorkflow(n8n, 'enrichment-waterfall', {
			parameters: {
				People: { jsCode: `return ${JSON.stringify(items)};` },
				'Next provider': { url: `${provider.url}/enrich` },
			},
		});
		const execution = await run();
		expect(execution.status).toBe('success');
		expect(account.spent.apiCredits).toBe(3);
		expect(provider.received.map(({ body }) => body)).toEqual(
			unknown.map((linkedin_url) => ({ linkedin_url })),
		);
		const all = execution.items('All of them').map(({ json }) => json);
		expect(all.map(({ linkedin_url }) => linkedin_url)).toEqual([...known, ...unknown]);
		expect(all.map(({ work_email }) => work_email)).toEqual([
			...known.map(() => expect.stringContaining('@') as string),
			'nobody-1@example.com',
			'nobody-2@example.com',
		]);
	});

	test('while the next provider is down, three tries pay for the profiles once', async () => {
		let isDown = true;
		using provider = await startLocalServer(() => (isDown ? 503 : { email: 'a@example.com' }));
		const items = [first, ...unknown].map((linkedin_url) => ({ json: { linkedin_url } }));
		const { account, run } = await importWorkflow(n8n, 'enrichment-waterfall', {
			parameters: {
				People: { jsCode: `return ${JSON.stringify(items)};` },
				'Next provider': { url: `${provider.url}/enrich` },
			},
		});
		const emails = async () =>
			(await run()).items('All of them').map(({ json }) => json.work_email);
		const found = expect.stringContaining('@') as string;
		for (let tries = 0; tries < 3; tries++) expect(await emails()).toEqual([found, '', '']);
		isDown = false;
		expect(await emails()).toEqual([found, 'a@example.com', 'a@example.com']);
		expect(account.spent.apiCredits).toBe(1);
	});
}
