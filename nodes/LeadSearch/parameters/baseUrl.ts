/** The Base URL of a lead service, as people paste it. */
import { ENDPOINTS } from '../api/contract';
import { InvalidParameterError } from './invalidParameter';
import type { Parameter } from './parameter';

const ENDPOINT_PATHS = Object.values(ENDPOINTS).map(({ path }) => path);
const PASTED_PATHS = [...ENDPOINT_PATHS, '/api/public', '/api/linkedin', '/api'];

/** Of longer ones, some hosts take the parser of URLs very long. */
const MAX_CHARACTERS = 2_000;
/** The lookbehind keeps the time in proportion to the length, however many slashes stand elsewhere. */
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/** Base URL of an operation that needs no credential; `execution` puts that of a chosen credential in place of an empty text. */
export const baseUrl: Parameter<string> = {
	property: {
		displayName: 'Base URL',
		type: 'string',
		// Not `required`: n8n's own message names neither the item nor what to write.
		default: '',
		placeholder: 'e.g. https://leads.example.com',
		description:
			'Address of the lead search service. If you choose a credential, leave this empty: its Base URL is used, and its key is never sent.',
	},
	read(value) {
		if (typeof value !== 'string' || value.trim() !== '') return readBaseUrl(value);
		return reject('is empty', ', or choose a credential to use its Base URL');
	},
};

/** @returns the URL without trailing slash or pasted endpoint path. @throws InvalidParameterError */
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
