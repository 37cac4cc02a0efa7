/** Canonical forms: two values have the same form if they mean the same to the service. */
import { createHash } from 'crypto';

import { isObject, type Json } from '../api/contract';

export function digest(value: unknown): string {
	return createHash('sha256').update(toCanonicalJson(value)).digest('hex');
}

/**
 * Returns JSON with sorted keys. The order of lists is kept, because the order of the service's results may depend on
 * it.
 */
export function toCanonicalJson(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		isObject(inner)
			? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
			: inner,
	);
}

/** Sorts all lists in a value. Each entry is replaced by its canonical JSON, because `sort` can't compare objects. */
export function sortLists(value: unknown): unknown {
	if (Array.isArray(value)) return value.map((inner) => toCanonicalJson(sortLists(inner))).sort();
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sortLists(inner)]));
}

/** The values that the service uses if a search lacks these fields (contract, "POST /api/public/search"). */
const SEARCH_DEFAULTS: Json = { include_emails: true, include_phones: false, email_status: 'all' };

/**
 * Returns the fields of a search without those that have the contract's default, and with lists of strings
 * deduplicated. Other lists are unchanged, because [10, 10] can be a range.
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
