/** What the stand-ins have in common. */
import { randomBytes } from 'node:crypto';

export type Note = (line: string) => void;
export type Fields = Readonly<Record<string, unknown>>;

/** Customers of a service, by the secret that each of them sends. */
export class Customers<T extends { readonly secret: string }> {
	private readonly bySecret = new Map<string, T & Quota>();

	add(customer: T): T & Quota {
		const added = { ...customer, requestsLeft: Infinity };
		this.bySecret.set(customer.secret, added);
		return added;
	}

	/** The customer that sent a secret: alone as it is, or after "Bearer". */
	find(sent: unknown): (T & Quota) | undefined {
		return typeof sent === 'string' ? this.bySecret.get(sent.replace(/^Bearer +/i, '')) : undefined;
	}
}

/** How many more requests are answered before each gets a 429. */
export interface Quota {
	requestsLeft: number;
}

/** Counts a request; false when it is one too many. */
export function admits(quota: Quota): boolean {
	if (quota.requestsLeft < 1) return false;
	quota.requestsLeft -= 1;
	return true;
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
