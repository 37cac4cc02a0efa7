import type { Fields } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadAt, leadsChargedTwice, matching, type Behaviour } from '../../sandbox/service';
import type { TestN8n } from '../n8n/harness';
import { dropTable, edited, fillTables, importForNights } from './fixture';
import { importWorkflow, readTable, storageOf } from './fixture';

const table = 'Profiles in reach';
const people = Array.from(
	matching({ job_titles: ['Marketing Manager'], person_location_country: ['Iceland'] }),
	leadAt,
);
const urls = people.map(({ linkedin_url: url }) => url);
/** As the table names them. */
const profileOf = (url = '') => decodeURIComponent(url.split('/').at(-1) ?? '').toLowerCase();
const foundAmong = (count: number) =>
	people.slice(0, count).filter((lead) => lead.work_email ?? lead.personal_emails[0]).length;

export function testWorkflow(n8n: TestN8n): void {
	function audience(): Fields {
		const { baseUrl } = n8n.service;
		const values = { baseUrl, jobTitles: 'Marketing Manager', countries: 'Iceland', leads: 5 };
		const assignments = Object.entries(values).map(([name, value]) => ({
			...{ id: name, name, value },
			type: typeof value,
		}));
		return { assignments: { assignments } };
	}

	async function prepare(
		preview: Behaviour = {},
		apiCredits?: number,
		parameters: Readonly<Record<string, Fields>> = {},
	) {
		const { admin } = n8n.service;
		admin.setPreviewBehaviour(preview);
		const imported = await importForNights(n8n, 'only-new-leads', 'Every Monday', {
			account: admin.createAccount(apiCredits === undefined ? {} : { apiCredits }),
			parameters: { Audience: audience(), ...parameters },
		});
		const saved = async () => (await readTable(n8n, table)).map(({ linkedin_url: url }) => url);
		const tonight = async () => (await imported.night()).error?.message;
		return { ...imported, saved, tonight };
	}

	const inDatabase = async (statement: string) => await query(n8n.server.database, statement);

	afterEach(async () => {
		n8n.service.admin.setPreviewBehaviour({});
		await dropTable(n8n, table);
	});

	test.each(['contacts', 'allButUrl'] as const)(
		'a preview that masks %s: each Monday buys the next five who are not in the table yet',
		async (masks) => {
			const { account, saved, tonight } = await prepare({ readings: { preview: { masks } } });
			for (const monday of [1, 2, 3]) {
				expect([monday, await tonight()]).toEqual([monday, undefined]);
				expect(await saved()).toEqual(urls.slice(0, 5 * monday));
				expect(account.spent.apiCredits).toBe(foundAmong(5 * monday));
			}
			expect(leadsChargedTwice(account)).toEqual([]);
		},
	);

	test('it goes on until the list ends, beyond the first hundred', async () => {
		const { requests, saved, tonight } = await prepare();
		await tonight();
		const storage = await storageOf(n8n, table);
		const profiles = urls.slice(5, -2).map((url) => `('${profileOf(url)}', 'found')`);
		await inDatabase(`INSERT INTO ${storage} (profile, lookup) VALUES ${profiles.join(', ')}`);
		expect(urls.length).toBeGreaterThan(100);
		expect(await tonight()).toBeUndefined();
		expect((await saved()).slice(-2)).toEqual(urls.slice(-2));
		const { length } = requests();
		expect(await tonight()).toBeUndefined();
		expect(requests()).toHaveLength(length);
	});

	test('a preview without LinkedIn URLs is told before anything is paid', async () => {
		const { requests, tonight } = await prepare({ readings: { preview: { masks: 'all' } } });
		expect(await tonight()).toContain('leads in the preview show a LinkedIn URL');
		expect(requests()).toEqual([]);
	});

	test('when credits run out, what was bought is in the table, and the next run buys the rest', async () => {
		const { account, saved, setCredits, tonight } = await prepare({}, 1);
		expect(await tonight()).toContain('Not enough API credits (402): 1 ');
		expect(await tonight()).toContain('Not enough API credits (402)');
		setCredits(100);
		for (const night of [3, 4]) expect([night, await tonight()]).toEqual([night, undefined]);
		expect(new Set(await saved()).size).toBe((await saved()).length);
		expect((await saved()).length).toBeGreaterThanOrEqual(5);
		expect(leadsChargedTwice(account)).toEqual([]);
	});

	test.each([
		['one row', urls.slice(7, 8)],
		['all rows', urls],
	])('%s refused: not bought, the others are, and what is left is named', async (what, refused) => {
		const { account, saved, tonight } = await prepare();
		await tonight();
		const storage = await storageOf(n8n, table);
		const list = refused.map((url) => `'${url}'`).join(', ');
		await inDatabase(
			`ALTER TABLE ${storage} ADD CONSTRAINT never CHECK (linkedin_url NOT IN (${list})) NOT VALID`,
		);
		const allowed = urls.filter((url) => !refused.includes(url));
		const name = what === 'one row' ? profileOf(refused[0]) : '5 profiles could not be claimed';
		for (const night of [1, 2, 3]) {
			const message = await tonight();
			for (const text of [name, 'could not be claimed, and are not bought', 'check constraint'])
				expect([night, message]).toEqual([night, expect.stringContaining(text)]);
			const bought = what === 'one row' ? allowed.slice(0, 5 + 4 * night) : urls.slice(0, 5);
			expect(await saved()).toEqual(bought);
			const found = people.filter((lead) => bought.includes(lead.linkedin_url));
			const { length } = found.filter((lead) => lead.work_email ?? lead.personal_emails[0]);
			expect(account.spent.apiCredits).toBe(length);
		}
	});

	test('a result that the table refuses is named until Retry saves it, for nothing', async () => {
		const { account, workflow, tonight } = await prepare();
		await tonight();
		const storage = await storageOf(n8n, table);
		const url = urls[6] ?? '';
		await inDatabase(
			`ALTER TABLE ${storage} ADD CONSTRAINT never CHECK (linkedin_url <> '${url}' OR lookup LIKE 'looked up%')`,
		);
		const named = expect.stringContaining(profileOf(url)) as unknown;
		for (const night of [1, 2, 3]) {
			expect([night, await tonight()]).toEqual([night, named]);
			expect(account.spent.apiCredits).toBe(foundAmong(5 + 5 * night));
		}
		const lookup = async () =>
			(await readTable(n8n, table)).find(({ linkedin_url: one }) => one === url)?.lookup;
		expect(await lookup()).toContain('looked up in execution');

		await inDatabase(`ALTER TABLE ${storage} DROP CONSTRAINT never`);
		const failed = await inDatabase(
			`SELECT id FROM execution_entity WHERE status = 'error' AND mode = 'integrated' ORDER BY id DESC LIMIT 1`,
		);
		await n8n.client.retry(String(failed[0]?.id));
		expect([workflow.name, await lookup()]).toEqual([workflow.name, 'found']);
	});

	test('what was read, or is to be claimed, long after it began, as by a late Retry, buys nothing', async () => {
		const late = (name: string) => edited('only-new-leads', name, '> 900000', '> -1');
		const parameters = { Audience: audience(), ...late('New ones') };
		const byHand = await importWorkflow(n8n, 'only-new-leads', { parameters });
		expect((await byHand.run()).error?.message).toContain('The table was read long ago.');
		expect(byHand.requests()).toEqual([]);

		const { account, tonight } = await prepare({}, undefined, late('Save the row'));
		expect(await tonight()).toContain('none-as-this-claim-is-old');
		expect(account.spent.apiCredits).toBe(0);
	});

	test('a full table is told before anything is paid', async () => {
		const { requests, saved, tonight } = await prepare();
		await tonight();
		const { length } = requests();
		const makeRoom = await fillTables(n8n);
		for (const night of [1, 2, 3])
			expect([night, await tonight()]).toEqual([
				night,
				expect.stringContaining('size limit exceeded'),
			]);
		expect(requests()).toHaveLength(length);
		await makeRoom();
		expect(await tonight()).toBeUndefined();
		expect(await saved()).toEqual(urls.slice(0, 10));
	});
}
