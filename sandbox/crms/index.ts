/**
 * Stand-ins for HubSpot, Google Sheets and Pipedrive. They have the parts of the documented APIs that n8n's nodes
 * use, at the addresses of the real services. Their data are lost when the process ends.
 */
import Fastify from 'fastify';

import type { LeadService } from '../service';
import { serveGoogle } from './google';
import { serveHubSpot } from './hubspot';
import { startPage, type Arrived } from './page';
import { servePipedrive } from './pipedrive';
import { makeCertificate, startProxy } from './proxy';

export { addressOf, columnsOfLeads, credentialData, type Spreadsheet } from './google';
export type { Portal } from './hubspot';
export type { Quota } from './site';
export type { Company } from './pipedrive';

export type Crms = Awaited<ReturnType<typeof startCrms>>;

export interface CrmsOptions {
	/** The mock of the lead service. The page shows what it has charged. */
	readonly leadService?: Pick<LeadService, 'admin'>;
	/** The rows of a table of contacts outside the stand-ins. The page shows them next to the received rows. */
	readonly contacts?: Arrived['contacts'];
}

/**
 * Starts the stand-ins behind a proxy on 127.0.0.1.
 *
 * @param folder the folder for the certificate that a client has to trust
 */
export async function startCrms(folder: string, options: CrmsOptions = {}) {
	const { leadService, contacts } = options;
	const certificate = await makeCertificate(folder);
	const server = Fastify({ https: certificate, forceCloseConnections: true });
	const stands = {
		hubspot: serveHubSpot(server),
		google: serveGoogle(server),
		pipedrive: servePipedrive(server),
	};
	await server.ready();
	const proxy = await startProxy(server.server);
	const { portals } = stands.hubspot;
	const { spreadsheets } = stands.google;
	const { companies } = stands.pipedrive;
	const accounts = () => leadService?.admin.accounts() ?? [];
	const page = await startPage({ portals, spreadsheets, companies, accounts, contacts });
	return {
		...stands,
		/** Address of a page that shows what has arrived. */
		page: page.url,
		/**
		 * The environment with which n8n reaches the stand-ins, and no other host, under the names of the real
		 * services.
		 */
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate.file,
		},
		close: async () => {
			await page.close();
			await proxy.close();
			await server.close();
		},
	};
}
