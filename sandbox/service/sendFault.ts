import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { SendingFault } from './faults';
import type { Answer } from './model';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML = '<!doctype html>\n<html><title>Welcome</title><body>It works!</body></html>\n';

function bytesOf({ body }: Pick<Answer, 'body'>): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

export function sendAnswer(reply: FastifyReply, answer: Pick<Answer, 'status' | 'body'>) {
	return reply.code(answer.status).type(JSON_TYPE).send(bytesOf(answer));
}

/** Sends what the fault makes of an answer; undefined when no whole answer goes out. */
export function sendFault(
	fault: SendingFault,
	reply: FastifyReply,
	answer: Answer,
	closing: AbortSignal,
): FastifyReply | undefined {
	switch (fault.kind) {
		case 'status': {
			const { status, headers = {} } = fault;
			const { body = { success: false, message: `Status ${status} on demand` } } = fault;
			const sent = typeof body === 'string' ? body : JSON.stringify(body);
			return reply.code(status).type(JSON_TYPE).headers(headers).send(sent);
		}
		case 'notJson':
			return reply.type('text/html; charset=utf-8').send(HTML);
		case 'wrongEncoding':
			return sendAnswer(reply.header('content-encoding', 'gzip'), answer);
		case 'hugeHeaders':
			// Node's own clients take 16 KiB.
			return sendAnswer(reply.header('x-trace', 'x'.repeat(24_000)), answer);
		case 'endless':
			reply.code(fault.status ?? 200).type(JSON_TYPE);
			return reply.send(Readable.from(endless(closing, fault.isFast ?? false)));
	}
	const { raw } = reply.hijack();
	if (fault.kind === 'loseMidAnswer') {
		const bytes = bytesOf(answer);
		raw.writeHead(answer.status, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
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
