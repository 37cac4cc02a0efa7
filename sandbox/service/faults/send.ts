import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { bytesOf, HTML_PAGE, JSON_TYPE, sendAnswer, type Answer } from '../answer';
import type { SendingFault } from './fault';

const JSON_START = '{"success":true,"message":"';
const JSON_END = '"}';
/** Milliseconds between the bytes of an endless answer. */
const DRIP = 20;
const CHUNK = 65_536;
/** Bytes of headers: Node's own clients take 16 KiB. */
const HUGE_HEADERS = 24_000;

/**
 * Injects a fault into the sending of an answer.
 * @param answer what the client would have got
 * @param closing aborts when the service closes
 */
export function sendFault(
	fault: SendingFault,
	reply: FastifyReply,
	answer: Answer,
	closing: AbortSignal,
): unknown {
	const bytes = bytesOf(answer);
	switch (fault.kind) {
		case 'status': {
			const { status, contentType = JSON_TYPE, headers = {} } = fault;
			const { body = { success: false, message: `Status ${status} on demand` } } = fault;
			const sent = typeof body === 'string' ? body : JSON.stringify(body);
			return reply.code(status).type(contentType).headers(headers).send(sent);
		}
		case 'redirect':
			return reply.redirect(fault.location, fault.status ?? 302);
		case 'notJson':
			return sendAnswer(reply, HTML_PAGE);
		case 'raw':
			return reply.type(fault.contentType ?? JSON_TYPE).send(fault.body);
		case 'truncatedJson':
			return reply.type(JSON_TYPE).send(bytes.subarray(0, Math.ceil(bytes.length / 2)));
		case 'wrongEncoding':
			return sendAnswer(reply.header('content-encoding', 'gzip'), answer);
		case 'hugeHeaders':
			return sendAnswer(reply.header('x-trace', 'x'.repeat(HUGE_HEADERS)), answer);
		case 'hang':
			return reply.hijack();
		case 'loseBeforeAnswer':
		case 'loseAfterAnswer':
			return reply.hijack().raw.destroy();
		case 'loseMidAnswer': {
			const { raw } = reply.hijack();
			const headers = { 'content-type': JSON_TYPE, 'content-length': bytes.length };
			raw.writeHead(answer.status, headers);
			return raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
		}
		case 'endless': {
			const { status = 200 } = fault;
			return reply
				.code(status)
				.type(JSON_TYPE)
				.send(Readable.from(endless(closing)));
		}
		case 'huge':
			return reply.type(JSON_TYPE).send(Readable.from(huge(fault.bytes)));
	}
}

async function* endless(closing: AbortSignal): AsyncGenerator<string> {
	yield JSON_START;
	while (!closing.aborted) {
		yield '.';
		await sleep(DRIP);
	}
}

function* huge(bytes: number): Generator<string> {
	yield JSON_START;
	for (let left = bytes - JSON_START.length - JSON_END.length; left > 0; left -= CHUNK)
		yield '.'.repeat(Math.min(left, CHUNK));
	yield JSON_END;
}
