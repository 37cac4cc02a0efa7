/** Parts that the stand-ins share. */
import { randomBytes } from 'node:crypto';

import type { FastifyReply } from 'fastify';

export type Fields = Readonly<Record<string, unknown>>;

/** The customers of a service. Each is identified by the secret that it sends. */
export class Customers<T extends { readonly secret: string }> {
	private readonly bySecret = new Map<string, T & Quota>();

	add(customer: T): T & Quota {
		const added: T & Quota = { ...customer, requestsLeft: Infinity, outage: 'tooMany' };
		this.bySecret.set(customer.secret, added);
		return added;
	}

	/** All customers, oldest first. */
	all(): Array<T & Quota> {
		return [...this.bySecret.values()];
	}

	/** Finds the customer that sent a secret: the header is the secret, or "Bearer" and the secret. */
	find(sent: unknown): (T & Quota) | undefined {
		return typeof sent === 'string' ? this.bySecret.get(sent.replace(/^Bearer +/i, '')) : undefined;
	}
}

/** The number of requests that are still answered, and the response to the ones after them. */
export interface Quota {
	requestsLeft: number;
	/** A 429, or a connection on which no response is sent. */
	outage: 'tooMany' | 'hangs';
}

/**
 * Counts a request.
 *
 * @param tooMany the body of a 429
 * @returns false if there were too many requests; the response was sent then
 */
export function admits(quota: Quota, reply: FastifyReply, tooMany: object): boolean {
	if (quota.requestsLeft >= 1) {
		quota.requestsLeft -= 1;
		return true;
	}
	if (quota.outage === 'tooMany') void reply.code(429).send(tooMany);
	else reply.hijack();
	return false;
}

export function newSecret(): string {
	return randomBytes(20).toString('hex');
}

/** Whether a CRM accepts a text as an email address. */
export function isEmail(text: string): boolean {
	return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text);
}

/** Returns the first key of `fields` that isn't one of the known keys. */
export function unknownKey(fields: unknown, known: readonly string[]): string | undefined {
	return Object.keys(fields ?? {}).find((key) => !known.includes(key));
}
