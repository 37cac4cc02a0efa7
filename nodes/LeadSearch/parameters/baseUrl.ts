/** Reads the Base URL of the lead service as users paste it. */
import { ENDPOINTS } from '../api/contract';
import { InvalidParameterError } from './invalidParameter';
import type { Parameter } from './parameter';

const ENDPOINT_PATHS = Object.values(ENDPOINTS).map(({ path }) => path);
const PASTED_PATHS = [...ENDPOINT_PATHS, '/api/public', '/api/linkedin', '/api'];

/** Longer URLs are rejected, because the URL parser is very slow for some long hosts. */
const MAX_CHARACTERS = 2_000;
/** The lookbehind keeps the time linear in the length, even with many slashes. */
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/**
 * The parameter 'Base URL' of operations that need no credential. If it is empty and a credential is chosen,
 * `execution/items.ts` replaces it with the credential's Base URL.
 */
export const baseUrl: Parameter<string> = {
	property: {
		displayName: 'Base URL',
		type: 'string',
		// Not `required`, because n8n's message would name neither the item nor the expected value.
		default: '',
		placeholder: 'e.g. https://leads.example.com',
		description:
			'Address of the lead search service. If this is empty, the Base URL of the credential is used. If you write an address here, requests go to that address instead. The key of the credential is never sent.',
		hint: 'Leave empty if a credential is chosen',
	},
	read(value) {
		if (typeof value !== 'string' || value.trim() !== '') return readBaseUrl(value);
		return reject('is empty', ', or choose a credential to use its Base URL');
	},
};

/**
 * Returns the URL without a trailing slash and without the path of an endpoint.
 *
 * @throws InvalidParameterError if it isn't a usable http or https URL
 */
export function readBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') reject('is empty');
	if (text.length > MAX_CHARACTERS) reject('has more than 2,000 characters');
	if (!/^https?:\/\//i.test(text)) reject('does not start with https:// or http://');
	if (!URL.canParse(text)) reject('is not a valid URL');
	const { username, password, search, hash, origin, pathname } = new URL(text);
	if (username + password !== '')
		reject('contains a user name or password, which belong in a credential');
	if (search + hash !== '') reject('has a query or a fragment (starting with ? or #)');
	const path = pathname.replace(TRAILING_SLASHES, '');
	const pasted = PASTED_PATHS.find((suffix) => path.toLowerCase().endsWith(suffix)) ?? '';
	return origin + path.slice(0, path.length - pasted.length).replace(TRAILING_SLASHES, '');
}

function reject(problem: string, alternative = ''): never {
	const advice = `Write the address of the lead search service, e.g. 'https://leads.example.com'${alternative}.`;
	throw new InvalidParameterError('Base URL', problem, advice);
}
