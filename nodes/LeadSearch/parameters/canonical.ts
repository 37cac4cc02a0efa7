import { createHash } from 'crypto';

import { isObject } from '../api/contract';

/** A short text in place of a canonical one, that tells nothing of it. */
export function digest(value: unknown): string {
	return createHash('sha256').update(canonical(value)).digest('hex');
}

/**
 * A text that is the same for values that mean the same to the service: keys of objects in any order.
 * Of lists the order counts, since the order of what comes back may follow it.
 */
export function canonical(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
			: inner,
	);
}

/** For comparisons in which the order of lists doesn't count: each becomes one of texts, in order. */
export function sortLists(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((inner) => canonical(sortLists(inner))).sort();
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortLists(inner)]));
}
