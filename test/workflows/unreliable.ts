/** A way to a database that can be cut. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Starts a TCP server on 127.0.0.1 that passes everything on to a port there. As soon as `cutsAt` is in
 * what a client sends, that is not passed on; all connections end, and new ones do at once, until
 * `isDown` is set to false.
 */
export async function startWayTo(port: number, cutsAt: string) {
	const sockets = new Set<Socket>();
	const way = { isDown: false, cutsAt: cutsAt as string | undefined };
	const close = () => {
		for (const socket of sockets) socket.destroy();
	};
	const server = createServer((client) => {
		if (way.isDown) {
			client.destroy();
			return;
		}
		const target = connect(port, '127.0.0.1');
		for (const [one, other] of [
			[client, target],
			[target, client],
		] as const) {
			sockets.add(one);
			one.on('error', () => other.destroy());
			one.on('close', () => {
				sockets.delete(one);
				other.destroy();
			});
		}
		target.pipe(client);
		client.on('data', (data) => {
			if (way.cutsAt !== undefined && data.includes(way.cutsAt)) {
				way.isDown = true;
				way.cutsAt = undefined;
				close();
			} else {
				target.write(data);
			}
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return Object.assign(way, {
		port: (server.address() as AddressInfo).port,
		[Symbol.dispose]: () => {
			server.close();
			close();
		},
	});
}
