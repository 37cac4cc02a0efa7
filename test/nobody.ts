import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * An address that refuses every connection during the tests of a file. Its port is taken, so that
 * nobody else can listen there meanwhile: by the near end of a connection, which does not listen.
 */
export function useNobody(): { readonly url: string } {
	const server = createServer();
	let socket: Socket | undefined;
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		socket = connect(port, '127.0.0.1');
		await once(socket, 'connect');
	});
	afterAll(() => {
		socket?.destroy();
		server.close();
	});
	return {
		get url() {
			return `http://127.0.0.1:${socket?.localPort ?? 0}`;
		},
	};
}
