import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { SendingFault } from './fault';

/** An answer that is ready to be sent. */
export interface Answer {
	status: number;
	/** A buffer goes out as it is, anything else as JSON. */
	body: unknown;
	/** JSON unless said otherwise. */
	contentType?: string;
}

/** An answer that says why there is no other. */
export function refusal(status: number, message: string): Answer {
	return { status, body: { success: false, message } };
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** What a server says that has been set up but for its application. */
export const HTML_PAGE: Answer = {
	status: 200,
	body: Buffer.from(
		'<!doctype html>\n<html><title>Welcome</title><body>It works!</body></html>\n',
	),
	contentType: 'text/html; charset=utf-8',
};
const JSON_START = '{"success":true,"message":"';
const JSON_END = '"}';
/** Milliseconds between the bytes of an endless answer. */
const DRIP = 20;
const CHUNK = 65_536;
/** Bytes of headers: Node's own clients take 16 KiB. */
const HUGE_HEADERS = 24_000;

/** Sends a normal answer. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
	const { status, contentType = JSON_TYPE } = answer;
	return reply.code(status).type(contentType).send(bytesOf(answer));
}

function bytesOf({ body }: Answer): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/**
 * Injects a fault into the sending of an answer.
 * @param answer what the client would have got
 * @param closing aborts when the service closes
 */
export async function sendFault(
	fault: SendingFault,
	reply: FastifyReply,
	answer: Answer,
	closing: AbortSignal,
): Promise<unknown> {
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
		case 'endless':
			return stream(reply, endless(closing), fault.status);
		case 'huge':
			return stream(reply, huge(fault.bytes));
	}
}

async function stream(
	reply: FastifyReply,
	parts: AsyncIterable<string>,
	status = 200,
): Promise<void> {
	const { raw } = reply.hijack();
	raw.writeHead(status, { 'content-type': JSON_TYPE });
	// A client that leaves ends the stream early; that is how these answers are meant to end.
	await pipeline(Readable.from(parts), raw).catch(() => undefined);
}

async function* endless(closing: AbortSignal): AsyncGenerator<string> {
	yield JSON_START;
	while (!closing.aborted) {
		yield '.';
		await sleep(DRIP);
	}
}

async function* huge(bytes: number): AsyncGenerator<string> {
	yield JSON_START;
	for (let left = bytes - JSON_START.length - JSON_END.length; left > 0; left -= CHUNK)
		yield await Promise.resolve('.'.repeat(Math.min(left, CHUNK)));
	yield JSON_END;
}
