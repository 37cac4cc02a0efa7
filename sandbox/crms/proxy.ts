/** The way to a server that answers for somebody else's host names: a proxy, and a certificate for them. */
import { writeFile } from 'node:fs/promises';
import type { Server as HttpsServer } from 'node:https';
import { join } from 'node:path';

import { RequestError, Server } from 'proxy-chain';
import { generate } from 'selfsigned';

/** The host names that are answered for. */
export const hosts = {
	hubspot: 'api.hubapi.com',
	googleSheets: 'sheets.googleapis.com',
	googleDrive: 'www.googleapis.com',
	pipedrive: 'api.pipedrive.com',
} as const;

const names: readonly string[] = Object.values(hosts);

/** Makes a certificate for all of the host names, also as a file, which is all that a client has to trust. */
export async function makeCertificate(folder: string) {
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'Sandbox' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + 30 * 86_400_000),
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
		],
	});
	const file = join(folder, 'crms.pem');
	await writeFile(file, cert);
	return { cert, key, file };
}

/**
 * Starts a proxy on 127.0.0.1 that leads to `server` for the host names, and refuses all other hosts.
 */
export async function startProxy(server: HttpsServer) {
	const proxy = new Server({
		host: '127.0.0.1',
		port: 0,
		prepareRequestFunction: ({ hostname, isHttp }) => {
			if (isHttp || !names.includes(hostname))
				throw new RequestError(`${hostname} is not in the sandbox`, 403);
			// Only its event "connection" is used, which a server of either kind has.
			return { customConnectServer: server };
		},
	});
	await proxy.listen();
	return { url: `http://127.0.0.1:${proxy.port}`, close: () => proxy.close(true) };
}
