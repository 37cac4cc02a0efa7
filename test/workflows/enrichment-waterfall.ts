import { urlsMatching } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { startLocalServer } from '../n8n/localServer';
import { importWorkflow } from './fixture';

const known = urlsMatching({ email_status: 'verified' }).slice(0, 3);
const unknown = ['nobody-1', 'nobody-2'].map((name) => `https://www.linkedin.com/in/${name}`);

export function testWorkflow(n8n: TestN8n): void {
	test('who is not found reaches the next provider alone; while that is down, three tries pay once', async () => {
		let isDown = true;
		using provider = await startLocalServer(({ body }) => {
			const { linkedin_url: url } = body as { linkedin_url: string };
			return isDown ? 503 : { email: `${url.split('/').at(-1)}@example.com` };
		});
		const people = [known[0], unknown[0], known[1], known[2], unknown[1]];
		const items = people.map((linkedin_url) => ({ json: { linkedin_url } }));
		const { account, run } = await importWorkflow(n8n, 'enrichment-waterfall', {
			parameters: {
				People: { jsCode: `return ${JSON.stringify(items)};` },
				'Next provider': { url: `${provider.url}/enrich` },
			},
		});
		const all = async () =>
			(await run()).items('All of them').map(({ json }) => [json.linkedin_url, json.work_email]);
		const own = known.map((url) => [url, expect.stringContaining('@') as string]);
		const joined = (emails: string[]) => [...own, ...unknown.map((url, at) => [url, emails[at]])];
		for (let tries = 0; tries < 3; tries++) expect(await all()).toEqual(joined(['', '']));
		isDown = false;
		provider.received.length = 0;
		expect(await all()).toEqual(joined(['nobody-1@example.com', 'nobody-2@example.com']));
		const asked = provider.received.map(({ body }) => body);
		expect(asked).toEqual(unknown.map((linkedin_url) => ({ linkedin_url })));
		expect(account.spent.apiCredits).toBe(3);
	});
}
