import { once } from 'node:events';
import { createServer, Socket, type AddressInfo } from 'node:net';

/**
 * An address that refuses every connection during the tests of a file. Its port is taken, so that
 * nobody else can listen there meanwhile: by the near end of a connection, which does not listen.
 */
export function useNobody(): { readonly url: string } {
	const server = createServer();
	const socket = new Socket();
	const nobody = { url: '' };
	beforeAll(async () => {
		await once(server.listen(0, '127.0.0.1'), 'listening');
		await once(socket.connect((server.address() as AddressInfo).port, '127.0.0.1'), 'connect');
		nobody.url = `http://127.0.0.1:${socket.localPort ?? 0}`;
	});
	afterAll(() => {
		socket.destroy();
		server.close();
	});
	return nobody;
}
