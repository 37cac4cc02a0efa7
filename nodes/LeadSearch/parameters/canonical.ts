/** Canonical forms: two values have the same form if they mean the same to the service. */
import { createHash } from 'crypto';

import { isObject, type Json } from '../api/contract';

/**
 * Returns the SHA-256 hash of a value's canonical JSON, in hexadecimal. The hash doesn't depend on the order of the
 * keys in objects.
 */
export function digest(value: unknown): string {
	return createHash('sha256').update(toCanonicalJson(value)).digest('hex');
}

/**
 * Returns JSON with the keys of objects in alphabetical order. The order of lists is kept, because the order of the
 * service's results may depend on it.
 */
export function toCanonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}

/**
 * Sorts all lists in a value, so that a comparison can ignore the order of their entries. Each entry is replaced by its
 * canonical JSON, because `sort` can't compare objects.
 *
 * @example sortLists({ countries: ['Iceland', 'Germany'] }); // { countries: ['"Germany"', '"Iceland"'] }
 */
export function sortLists(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((inner) => toCanonicalJson(sortLists(inner))).sort();
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortLists(inner)]));
}

/** The values that the service uses if a search lacks these fields (contract, "POST /api/public/search"). */
const SEARCH_DEFAULTS: Json = { include_emails: true, include_phones: false, email_status: 'all' };

/**
 * Returns the fields of a search in a canonical form: without fields that have the contract's default, and with lists
 * of strings deduplicated. The order of a list is kept, because the order of leads may depend on it. Lists with other
 * entries than strings are unchanged, because [10, 10] can be a range.
 *
 * @example
 * canonicalizeSearch({ person_location_country: ['Iceland', 'Iceland'], email_status: 'all' });
 * // { person_location_country: ['Iceland'] }
 * @param fields fields of a request's body, including filters, by the contract's names; not modified
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
