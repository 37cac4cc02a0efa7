/** Disconnects n8n from PostgreSQL for a while. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import type { Connection } from '../../sandbox/postgres';

/**
 * Opens a port on 127.0.0.1 that passes everything on to PostgreSQL. `shut` ends all connections, and refuses new ones
 * until `open` is called. `hold` keeps all connections and accepts new ones, but passes nothing on until then. `close`
 * ends the gate.
 */
export async function openGate(target: Connection) {
	const sockets = new Set<Socket>();
	const pipes = new Set<{ connect: () => void; disconnect: () => void }>();
	let state: 'open' | 'held' | 'shut' = 'open';
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
		if (state === 'shut') return client.destroy();
		const database = track(connect(target.port, target.host));
		const pipe = {
			connect: () => {
				client.pipe(database).pipe(client);
			},
			disconnect: () => {
				client.unpipe(database);
				database.unpipe(client);
			},
		};
		pipes.add(pipe);
		client.on('close', () => {
			pipes.delete(pipe);
			database.destroy();
		});
		database.on('close', () => client.destroy());
		if (state === 'open') pipe.connect();
		return undefined;
	});
	server.listen(0, target.host);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		connection: { ...target, port } satisfies Connection,
		shut: () => {
			state = 'shut';
			endAll();
		},
		hold: () => {
			state = 'held';
			for (const { disconnect } of pipes) disconnect();
		},
		open: () => {
			if (state === 'held') for (const pipe of pipes) pipe.connect();
			state = 'open';
		},
		close: async () => {
			server.close();
			endAll();
			await once(server, 'close');
		},
	};
}
