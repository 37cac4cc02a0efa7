/** Three nights of lookups in which profiles come back under other URLs, as the ready-made workflows do them. */
import { randomUUID } from 'node:crypto';

import { addressOf, credentialData } from '../../sandbox/crms/index';
import type { Fields } from '../../sandbox/n8n/index';
import { query } from '../../sandbox/postgres';
import { leadAt } from '../../sandbox/service';
import { until } from '../../sandbox/until';
import type { TestN8n } from '../n8n/harness';
import { crmsOf, importForNights, yourSheet } from './fixture';

const EVERY = 7;
const WITH_EMAIL = Array.from({ length: 20 }, (_, nth) => leadAt(nth * EVERY)).filter(
	({ work_email: email }) => email !== null,
);

interface Nights {
	readonly urls: readonly string[];
	/** Emails by URL, where one is written; undefined where somebody is still to be done. */
	readonly emails: () => Promise<unknown[]>;
	readonly parameters?: Record<string, Fields>;
	readonly credential: { id: string; name: string; type: string };
}

/** What the two workflows read and write, each holding these URLs. */
const STORES = {
	'crm-sync-postgres': async (n8n: TestN8n, urls: readonly string[]): Promise<Nights> => {
		const { database } = n8n.server;
		await query(
			database,
			`DROP TABLE IF EXISTS contacts;
			CREATE TABLE contacts (
				id serial PRIMARY KEY, linkedin_url text NOT NULL, email text, phone text,
				looked_up_at timestamptz, lookup_note text
			);
			INSERT INTO contacts (linkedin_url) VALUES ${urls.map((url) => `('${url}')`).join()};`,
		);
		const access = { ...database, ssl: 'disable' };
		const credential = await n8n.client.createCredential('postgres', `CRM ${randomUUID()}`, access);
		const emails = async () => {
			const rows = await query(database, 'SELECT * FROM contacts ORDER BY id');
			return rows.map(({ email, looked_up_at: at, lookup_note: note }) =>
				at !== null && note === null ? email : undefined,
			);
		};
		return { urls, emails, credential };
	},
	'google-sheets-enrichment': async (n8n: TestN8n, urls: readonly string[]): Promise<Nights> => {
		const rows = [['linkedin_url', 'email', 'lookup'], ...urls.map((url) => [url])];
		const spreadsheet = crmsOf(n8n).google.addSpreadsheet(rows);
		const access = credentialData(spreadsheet);
		const type = 'googleSheetsOAuth2Api';
		const credential = await n8n.client.createCredential(type, `Sheet ${randomUUID()}`, access);
		const parameters = { 'Your sheet': yourSheet(addressOf(spreadsheet)) };
		const emails = () =>
			Promise.resolve(
				rows.slice(1).map(([, email = '', lookup]) => {
					if (lookup === 'found') return email;
					return lookup === 'not found' && email === '' ? null : undefined;
				}),
			);
		return { urls, emails, credential, parameters };
	},
};

type Name = keyof typeof STORES;
const NAMES = Object.keys(STORES) as Name[];

export function testRenamedProfiles(n8n: TestN8n): void {
	test.each(
		NAMES.flatMap((name) =>
			[0, 1, 5].flatMap((renamed) =>
				[24, 26, 60, 400].map((unknown) => [name, renamed, unknown] as const),
			),
		),
	)(
		'%s: %i renamed beside %i unknown ones are done in the first of three nights, and paid once',
		async (name, renamed, unknown) => {
			const people = WITH_EMAIL.slice(0, renamed);
			const nobodies = Array.from({ length: unknown }, (_, nth) => `nobody-at-all-${nth}`);
			const half = unknown / 2;
			const urls = [
				...nobodies.slice(0, half).map((one) => `https://www.linkedin.com/in/${one}`),
				...people.map(({ linkedin_url: url }) => url),
				...nobodies.slice(half).map((one) => `https://www.linkedin.com/in/${one}`),
			];
			const { emails, credential, parameters = {} } = await STORES[name](n8n, urls);
			const account = n8n.service.admin.createAccount({
				readings: { profiles: { renamedEvery: EVERY } },
			});
			const { night, requests } = await importForNights(n8n, name, 'Every night', {
				...{ account, parameters, credentials: [credential] },
			});
			const written = urls.map(
				(url) => people.find((one) => one.linkedin_url === url)?.work_email ?? null,
			);
			const first = await night();
			expect(first.error?.message).toBeUndefined();
			expect(await emails()).toEqual(written);
			// One for each, and one to find out whose it is.
			expect(account.spent.apiCredits).toBe(2 * renamed);
			const told = await until('the execution tells what it cost', async () => {
				const path = `/executions/${first.id}`;
				const { customData = {} } = await n8n.client.call<{ customData?: object }>('GET', path);
				const [text] = Object.values(customData) as string[];
				return text;
			});
			expect(told).toBe(`${renamed} profile${renamed === 1 ? '' : 's'} for ${2 * renamed} credits`);

			const { length } = requests();
			for (const later of [2, 3]) {
				const { error } = await night();
				expect([later, error?.message]).toEqual([later, undefined]);
			}
			expect(requests()).toHaveLength(length);
			expect(await emails()).toEqual(written);
		},
	);
}
