/** A page for people: what has arrived in the stand-ins. */
import type { AddressInfo } from 'node:net';

import Fastify from 'fastify';

import { escapeHtml } from '../html';
import type { Account } from '../service';
import type { Spreadsheet } from './google';
import type { Portal } from './hubspot';
import type { Company } from './pipedrive';

export interface Arrived {
	readonly portals: () => readonly Portal[];
	readonly spreadsheets: () => readonly Spreadsheet[];
	readonly companies: () => readonly Company[];
	/** Accounts of the lead service. */
	readonly accounts: () => readonly Account[];
	readonly contacts?: (() => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>) | undefined;
}

/** Serves the page on a free port of 127.0.0.1. Resolves with its address, and a way to end it. */
export async function startPage(arrived: Arrived) {
	const server = Fastify({ forceCloseConnections: true });
	server.get('/', async (_request, reply) => {
		const rows = (await arrived.contacts?.()) ?? [];
		return await reply.type('text/html; charset=utf-8').send(pageOf(arrived, rows));
	});
	await server.listen({ host: '127.0.0.1', port: 0 });
	const { port } = server.server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

const contactColumns = ['email', 'firstname', 'lastname', 'jobtitle', 'company', 'mobilephone'];

function pageOf(
	{ portals, spreadsheets, companies, accounts }: Arrived,
	rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
): string {
	const contacts = portals().flatMap((portal) => [...portal.contacts.values()]);
	const persons = companies().flatMap((company) =>
		company.persons.map(({ name, emails }) => [name, emails.join(', ')]),
	);
	const credits = accounts().map((one) => [one.apiKey, one.spent.apiCredits, one.apiCredits]);
	const parts = [
		part('Lead service: credits', ['API key', 'spent', 'left'], credits),
		part(
			'HubSpot: contacts',
			contactColumns,
			contacts.map((contact) => contactColumns.map((name) => contact[name])),
		),
		...spreadsheets().map(({ title, tab, rows: [columns = [], ...rows] }) =>
			part(`Google Sheets: ${title}, sheet ${tab}`, columns, rows),
		),
		part('Pipedrive: persons', ['name', 'emails'], persons),
		part('PostgreSQL: contacts', Object.keys(rows[0] ?? {}), rows.map(Object.values)),
	];
	return `<!doctype html>
<meta charset="utf-8"><meta http-equiv="refresh" content="5">
<title>What has arrived</title>
<style>body { font-family: sans-serif } table { border-collapse: collapse } td, th { border: 1px solid #bbb; padding: 2px 8px; text-align: left }</style>
<h1>What has arrived</h1>
${parts.join('\n')}
`;
}

function part(
	title: string,
	columns: readonly unknown[],
	rows: ReadonlyArray<readonly unknown[]>,
): string {
	const line = (tag: string, cells: readonly unknown[]) =>
		`<tr>${columns.map((_, index) => `<${tag}>${escaped(cells[index])}</${tag}>`).join('')}</tr>`;
	const lines = rows.map((row) => line('td', row)).join('\n');
	return `<h2>${escaped(title)} (${rows.length})</h2>\n<table>${line('th', columns)}\n${lines}</table>`;
}

function escaped(value: unknown): string {
	const isText = typeof value === 'string' || typeof value === 'number';
	return escapeHtml(isText ? String(value) : value instanceof Date ? value.toISOString() : '');
}
