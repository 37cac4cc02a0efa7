import type { FastifyReply } from 'fastify';

/** An answer that is ready to be sent. */
export interface Answer {
	status: number;
	/** A buffer goes out as it is, anything else as JSON. */
	body: unknown;
	/** JSON unless said otherwise. */
	contentType?: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What a server says that has been set up but for its application. */
export const HTML_PAGE: Answer = {
	status: 200,
	body: Buffer.from('<!doctype html>\n<html><title>Welcome</title><body>It works!</body></html>\n'),
	contentType: 'text/html; charset=utf-8',
};

/** An answer that says why there is no other. */
export function refusal(status: number, message: string): Answer {
	return { status, body: { success: false, message } };
}

/** The body as it goes out. */
export function bytesOf({ body }: Answer): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

/** Sends a normal answer. */
export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
	const { status, contentType = JSON_TYPE } = answer;
	return reply.code(status).type(contentType).send(bytesOf(answer));
}
