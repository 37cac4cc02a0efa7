import { createServer, type AddressInfo } from 'node:net';

/**
 * A free TCP port on 127.0.0.1.
 *
 * @param wanted a port to take if nobody listens there; otherwise any free one is found.
 */
export async function freePort(wanted = 0): Promise<number> {
	try {
		return await bindOnce(wanted);
	} catch (error) {
		if (wanted === 0) throw error;
		return bindOnce(0);
	}
}

function bindOnce(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address() as AddressInfo;
			server.close(() => {
				resolve(address.port);
			});
		});
	});
}
