import { urlsMatching } from '../../sandbox/service';
import { changed, readWorkflow, saveLeadSearch, type Fixture } from './fixture';
import { startLocalServer } from './localServer';

const known = urlsMatching({ email_status: 'verified' }).slice(0, 3);
const unknown = ['nobody-1', 'nobody-2'].map((name) => `https://www.linkedin.com/in/${name}`);
const [first, second, third] = known;
const urls = [first, unknown[0], second, third, unknown[1]];

export function enrichmentWaterfall(fixture: Fixture): void {
	async function run(people: ReadonlyArray<string | undefined>) {
		const provider = await startLocalServer(({ body }) => {
			const { linkedin_url: url } = body as { linkedin_url: string };
			return { email: `${url.split('/').at(-1)}@example.com` };
		});
		try {
			const account = fixture.service.admin.createAccount();
			const items = people.map((linkedin_url) => ({ json: { linkedin_url } }));
			const execution = await fixture.n8n.client.execute(
				changed(readWorkflow('enrichment-waterfall'), {
					credentials: [await saveLeadSearch(fixture, account)],
					parameters: {
						People: { jsCode: `return ${JSON.stringify(items)};` },
						'Next provider': { url: `${provider.url}/enrich` },
					},
				}),
			);
			return { account, execution, received: provider.received };
		} finally {
			provider.close();
		}
	}

	test('three found and two not found: the two alone reach the next provider', async () => {
		const { account, execution, received } = await run(urls);
		expect(execution.status).toBe('success');
		expect(account.spent.apiCredits).toBe(3);
		expect(received.map(({ body }) => body)).toEqual(
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

	test('all found: the next provider is not asked', async () => {
		const { account, execution, received } = await run(known);
		expect(execution.status).toBe('success');
		expect(account.spent.apiCredits).toBe(3);
		expect(received).toEqual([]);
		expect(execution.items('All of them')).toHaveLength(3);
	});
}
