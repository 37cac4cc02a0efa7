/** The Base URL of a lead service, as people paste it. */
import { ENDPOINTS } from '../api/contract';
import { InvalidParameterError } from './invalidParameter';
import type { Parameter } from './parameter';

const PASTED_ENDPOINTS = [
	...Object.values(ENDPOINTS).map(({ path }) => path),
	'/api/public',
	'/api/linkedin',
	'/api',
];

/** Base URL of an operation that needs no credential. */
export const baseUrl: Parameter<string> = {
	property: {
		displayName: 'Base URL',
		type: 'string',
		// Not `required`: n8n's own message names neither the item nor what to write.
		default: '',
		placeholder: 'e.g. https://leads.example.com',
		description: 'Address of the lead search service. A preview is free and needs no credential.',
	},
	read: (values, name) => readBaseUrl(values.get(name)),
};

/**
 * Reads a Base URL. A trailing slash and a pasted endpoint path cause no harm.
 *
 * @returns the URL without trailing slash, to put an endpoint's path behind
 * @throws InvalidParameterError
 */
export function readBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw refusal('is empty');
	if (!/^https?:\/\//i.test(text)) throw refusal('does not start with https:// or http://');
	if (!URL.canParse(text)) throw refusal('is not a valid URL');
	const { origin, pathname, username, password, search, hash } = new URL(text);
	if (username !== '' || password !== '')
		throw refusal('holds a user name or password, which belong in a credential');
	if (search !== '' || hash !== '')
		throw refusal('has something after the address, starting with ? or #');
	return origin + withoutEndpoint(pathname.replace(/\/+$/, ''));
}

function refusal(problem: string): InvalidParameterError {
	return new InvalidParameterError(
		'Base URL',
		problem,
		"Write the address of the lead search service, e.g. 'https://leads.example.com'.",
	);
}

function withoutEndpoint(path: string): string {
	const pasted = PASTED_ENDPOINTS.find((endpoint) => path.toLowerCase().endsWith(endpoint));
	return pasted === undefined ? path : path.slice(0, -pasted.length).replace(/\/+$/, '');
}
