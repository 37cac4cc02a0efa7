/** Sends responses, normal ones and those with a fault. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { SendingFault } from './faults';
import type { ModelResponse } from './model';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = '<!doctype html>\n<html><title>Welcome</title><body>It works!</body></html>\n';

function bytesOf({ body }: Pick<ModelResponse, 'body'>): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/** Sends a response as JSON. */
export function sendResponse(
	reply: FastifyReply,
	response: Pick<ModelResponse, 'status' | 'body'>,
) {
	return reply.code(response.status).type(JSON_TYPE).send(bytesOf(response));
}

/** Sends a response with a fault. @returns undefined if no complete response is sent */
export function sendFault(
	fault: SendingFault,
	reply: FastifyReply,
	response: ModelResponse,
	closing: AbortSignal,
): FastifyReply | undefined {
	switch (fault.kind) {
		case 'status': {
			const { status, headers = {} } = fault;
			const { body = { success: false, message: `Status ${status} on demand` } } = fault;
			const sent = typeof body === 'string' ? body : JSON.stringify(body);
			return reply.code(status).type(JSON_TYPE).headers(headers).send(sent);
		}
		case 'gateway':
			return response.rows.length > fault.maxRows
				? reply.code(fault.status).type('text/html').send(HTML)
				: sendResponse(reply, response);
		case 'notJson':
			return reply.type('text/html; charset=utf-8').send(HTML);
		case 'wrongEncoding':
			return sendResponse(reply.header('content-encoding', 'gzip'), response);
		case 'hugeHeaders':
			// Node's own clients accept 16 KiB.
			return sendResponse(reply.header('x-trace', 'x'.repeat(24_000)), response);
		case 'endless':
			reply.code(fault.status ?? 200).type(JSON_TYPE);
			return reply.send(Readable.from(endless(closing, fault.isFast ?? false)));
	}
	const { raw } = reply.hijack();
	if (fault.kind === 'loseMidAnswer') {
		const bytes = bytesOf(response);
		raw.writeHead(response.status, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
		raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
	} else if (fault.kind !== 'hang') {
		raw.destroy();
	}
	return undefined;
}

async function* endless(closing: AbortSignal, isFast: boolean): AsyncGenerator<string> {
	yield '{"success":true,"message":"';
	while (!closing.aborted) {
		yield '.'.repeat(isFast ? 65_536 : 1);
		if (!isFast) await sleep(20);
	}
}
