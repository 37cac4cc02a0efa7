import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { FaultAction } from './fault';

/** The answer that a fault keeps from the client or spoils. */
export interface Answer {
	status: number;
	/** A buffer goes out as it is, anything else as JSON. */
	body: unknown;
	/** JSON unless said otherwise. */
	contentType?: string;
}

/** Kinds that act on how an answer is sent. */
export type SendingFault = Exclude<FaultAction, { kind: 'latency' | 'merge' | 'patch' }>;

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_PAGE =
	'<!doctype html>\n<html><head><title>Welcome</title></head><body>It works!</body></html>\n';
/** Milliseconds between the bytes of an endless answer. */
const DRIP = 20;
const CHUNK = 65_536;
/** Bytes of headers: Node's own clients take 16 KiB. */
const HUGE_HEADERS = 24_000;

/** Whether the request is handled, and so charged, before the fault strikes. */
export function chargesFirst(fault: SendingFault): boolean {
	switch (fault.kind) {
		case 'loseAfterAnswer':
		case 'loseMidAnswer':
			return true;
		case 'truncatedJson':
		case 'wrongEncoding':
		case 'hugeHeaders':
			return fault.charge !== false;
		case 'loseBeforeAnswer':
		case 'redirect':
			return false;
		default:
			return fault.charge === true;
	}
}

/** Sends a normal answer. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
	return reply
		.code(answer.status)
		.type(answer.contentType ?? JSON_TYPE)
		.send(bytesOf(answer));
}

function bytesOf({ body }: Answer): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/**
 * Strikes.
 * @param answer what the client would have got
 * @param closing aborts when the service closes
 */
export async function sendFault(
	fault: SendingFault,
	reply: FastifyReply,
	answer: Answer,
	closing: AbortSignal,
): Promise<void> {
	const bytes = bytesOf(answer);
	switch (fault.kind) {
		case 'status': {
			const { body = { success: false, message: `Status ${fault.status} on demand` } } =
				fault;
			await reply
				.code(fault.status)
				.type(fault.contentType ?? JSON_TYPE)
				.headers(fault.headers ?? {})
				.send(typeof body === 'string' ? body : JSON.stringify(body));
			return;
		}
		case 'redirect':
			await reply.redirect(fault.location, fault.status ?? 302);
			return;
		case 'notJson':
			await reply.type('text/html; charset=utf-8').send(HTML_PAGE);
			return;
		case 'raw':
			await reply.type(fault.contentType ?? JSON_TYPE).send(fault.body);
			return;
		case 'truncatedJson':
			await reply.type(JSON_TYPE).send(bytes.subarray(0, Math.ceil(bytes.length / 2)));
			return;
		case 'wrongEncoding':
			await sendAnswer(reply.header('content-encoding', 'gzip'), answer);
			return;
		case 'hugeHeaders':
			await sendAnswer(reply.header('x-trace', 'x'.repeat(HUGE_HEADERS)), answer);
			return;
		case 'hang':
			reply.hijack();
			return;
		case 'loseBeforeAnswer':
		case 'loseAfterAnswer':
			reply.hijack();
			reply.raw.destroy();
			return;
		case 'loseMidAnswer':
			loseMidAnswer(reply, answer.status, bytes);
			return;
		case 'endless':
			await stream(reply, endless(closing));
			return;
		case 'huge':
			await stream(reply, huge(fault.bytes));
			return;
	}
}

function loseMidAnswer(reply: FastifyReply, status: number, bytes: Buffer): void {
	const { raw } = reply.hijack();
	raw.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
	raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
}

async function stream(reply: FastifyReply, parts: AsyncIterable<string>): Promise<void> {
	const { raw } = reply.hijack();
	raw.writeHead(200, { 'content-type': JSON_TYPE });
	// A client that leaves ends the stream early; that is how these answers are meant to end.
	await pipeline(Readable.from(parts), raw).catch(() => undefined);
}

async function* endless(closing: AbortSignal): AsyncGenerator<string> {
	yield '{"success":true,"message":"';
	while (!closing.aborted) {
		yield '.';
		await sleep(DRIP);
	}
}

async function* huge(bytes: number): AsyncGenerator<string> {
	const start = '{"success":true,"message":"';
	const end = '"}';
	yield start;
	for (let left = bytes - start.length - end.length; left > 0; left -= CHUNK)
		yield await Promise.resolve('.'.repeat(Math.min(left, CHUNK)));
	yield end;
}
