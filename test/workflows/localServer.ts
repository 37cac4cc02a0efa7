import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
export interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: unknown;
}

/** An HTTP server on 127.0.0.1 that stands for somebody else's. */
export interface LocalServer {
	readonly url: string;
	readonly received: readonly Received[];
	close(): void;
}

/**
 * Starts a server that takes JSON and gives JSON.
 *
 * @param answer what to answer with.
 */
export async function startLocalServer(
	answer: (request: Received, number: number) => unknown,
): Promise<LocalServer> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString();
			const arrived: Received = {
				path: request.url ?? '',
				headers: request.headers,
				body: text === '' ? undefined : JSON.parse(text),
			};
			received.push(arrived);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(answer(arrived, received.length)));
		});
	});
	await new Promise<void>((resolve) => {
		server.listen(0, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}
