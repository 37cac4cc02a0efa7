import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	readonly path: string;
	readonly body: unknown;
}

/**
 * Starts an HTTP server on 127.0.0.1 that stands for any other server. It reads JSON, and responds with JSON, with a
 * text as events, or with a number as the status. With 0 it closes the connection.
 */
export async function startLocalServer(respond: (request: Received) => unknown) {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString();
			const body: unknown = text === '' ? undefined : JSON.parse(text);
			const receivedRequest = { path: request.url ?? '', body };
			received.push(receivedRequest);
			const result = respond(receivedRequest);
			if (result === 0) {
				request.socket.destroy();
				return;
			}
			if (typeof result === 'number') response.statusCode = result;
			const isText = typeof result === 'string';
			response.setHeader('content-type', isText ? 'text/event-stream' : 'application/json');
			response.end(isText ? result : JSON.stringify(result));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, received, close, [Symbol.dispose]: close };
}
