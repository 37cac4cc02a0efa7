import { createHash } from 'crypto';

import { isObject, type Json } from '../api/contract';

/** A hash of a value's canonical text. */
export function digest(value: unknown): string {
	return createHash('sha256').update(toCanonicalJson(value)).digest('hex');
}

/**
 * A text that is the same for values that mean the same to the service: keys of objects in any order.
 * Of lists the order counts, since the order of what comes back may follow it.
 */
export function toCanonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}

/** For comparisons in which the order of lists doesn't count: each becomes a list of texts, in order. */
export function sortLists(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((inner) => toCanonicalJson(sortLists(inner))).sort();
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortLists(inner)]));
}

/** What the service takes for a field of a search that is not there (contract, "Paid public search"). */
const SEARCH_DEFAULTS: Json = { include_emails: true, include_phones: false, email_status: 'all' };

/**
 * The fields of a search in the one form that all searches have which mean the same to the service: without those
 * that are at the contract's default, and with each text of a list once. `{ person_location_country: ['Iceland',
 * 'Iceland'], email_status: 'all' }` is `{ person_location_country: ['Iceland'] }`. The order of a list stays, as
 * the order of leads may follow it; so do lists of anything but texts, since [10, 10] may be a range.
 *
 * @param fields of a request's body, filters among them, by the contract's names; they are not changed
 */
export function canonicalizeSearch(fields: Json): Json {
	return Object.fromEntries(
		Object.entries(fields)
			.filter(([field, value]) => value !== SEARCH_DEFAULTS[field])
			.map(([field, value]) => [field, deduplicateStrings(value)]),
	);
}

function deduplicateStrings(value: unknown): unknown {
	const isStringList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
	return isStringList ? [...new Set(value)] : value;
}
