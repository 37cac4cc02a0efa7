/**
 * Stand-ins for HubSpot, Google Sheets and Pipedrive: as much of their documented APIs as n8n's nodes
 * use, at the very addresses of the real ones. Nothing is kept beyond the end of the process.
 */
import Fastify from 'fastify';

import { serveGoogle } from './google';
import { serveHubSpot } from './hubspot';
import { servePipedrive } from './pipedrive';
import { makeCertificate, startProxy } from './proxy';
import type { Note } from './site';

export { addressOf, columnsOfLeads, credentialData, type Spreadsheet } from './google';
export type { Portal } from './hubspot';
export type { Company } from './pipedrive';

export type Crms = Awaited<ReturnType<typeof startCrms>>;

/**
 * Starts them behind a proxy on 127.0.0.1.
 * @param folder for the certificate that a client has to trust
 * @param note takes a line about each change in one of them
 */
export async function startCrms(folder: string, note: Note = () => undefined) {
	const certificate = await makeCertificate(folder);
	const server = Fastify({ https: certificate, forceCloseConnections: true });
	const stands = {
		hubspot: serveHubSpot(server, note),
		google: serveGoogle(server, note),
		pipedrive: servePipedrive(server, note),
	};
	await server.ready();
	const proxy = await startProxy(server.server);
	return {
		...stands,
		/** What an n8n needs to reach them, and nobody else, by their own names. */
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate.file,
		},
		close: async () => {
			await proxy.close();
			await server.close();
		},
	};
}
