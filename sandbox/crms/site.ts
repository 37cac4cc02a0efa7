/** What the stand-ins have in common. */
import { randomBytes } from 'node:crypto';

import type { FastifyReply } from 'fastify';

export type Fields = Readonly<Record<string, unknown>>;

/** Customers of a service, by the secret that each of them sends. */
export class Customers<T extends { readonly secret: string }> {
	private readonly bySecret = new Map<string, T & Quota>();

	add(customer: T): T & Quota {
		const added: T & Quota = { ...customer, requestsLeft: Infinity, outage: 'tooMany' };
		this.bySecret.set(customer.secret, added);
		return added;
	}

	/** All of them, in the order in which they came. */
	all(): Array<T & Quota> {
		return [...this.bySecret.values()];
	}

	/** The customer that sent a secret: alone as it is, or after "Bearer". */
	find(sent: unknown): (T & Quota) | undefined {
		return typeof sent === 'string' ? this.bySecret.get(sent.replace(/^Bearer +/i, '')) : undefined;
	}
}

/** How many more requests are answered, and what becomes of those after them. */
export interface Quota {
	requestsLeft: number;
	/** A 429, or a connection that waits for an answer without end. */
	outage: 'tooMany' | 'hangs';
}

/**
 * Counts a request; false when it is one too many, which is answered then.
 * @param tooMany the body of a 429
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

/** Whether a CRM takes it as an email address. */
export function isEmail(text: string): boolean {
	return /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text);
}

/** The first key of `fields` that isn't among the known ones. */
export function unknownKey(fields: unknown, known: readonly string[]): string | undefined {
	return Object.keys(fields ?? {}).find((key) => !known.includes(key));
}
