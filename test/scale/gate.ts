/** Disconnects n8n from PostgreSQL for a while. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import type { Connection } from '../../sandbox/postgres';

export type Gate = Awaited<ReturnType<typeof openGate>>;

/**
 * Opens a port on 127.0.0.1 that passes everything on to PostgreSQL. `shut` ends all connections, and refuses new ones
 * until `open` is called. `close` ends the gate.
 */
export async function openGate(target: Connection) {
	const sockets = new Set<Socket>();
	let isOpen = true;
	const endAll = (): void => {
		sockets.forEach((socket) => socket.destroy());
	};
	const track = (socket: Socket): Socket => {
		sockets.add(socket);
		// A connection that is ended emits an error on the other side of the pipe.
		socket.on('error', () => undefined);
		socket.on('close', () => sockets.delete(socket));
		return socket;
	};
	const server = createServer((client) => {
		track(client);
		if (!isOpen) return client.destroy();
		const database = track(connect(target.port, target.host));
		client.on('close', () => database.destroy());
		database.on('close', () => client.destroy());
		client.pipe(database).pipe(client);
		return undefined;
	});
	server.listen(0, target.host);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		connection: { ...target, port } satisfies Connection,
		shut: () => {
			isOpen = false;
			endAll();
		},
		open: () => {
			isOpen = true;
		},
		close: async () => {
			server.close();
			endAll();
			await once(server, 'close');
		},
	};
}
