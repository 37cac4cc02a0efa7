/** The Base URL of a lead service, as people paste it. */
import { ENDPOINTS } from './contract';

export type BaseUrlReading = { url: string } | { invalid: string };

const PASTED_ENDPOINTS = [
	...Object.values(ENDPOINTS).map(({ path }) => path),
	'/api/public',
	'/api/linkedin',
	'/api',
];

/**
 * Reads a Base URL. A trailing slash and a pasted endpoint path cause no harm.
 *
 * @returns the URL without trailing slash, to put an endpoint's path behind; or what is wrong with it, for people
 */
export function readBaseUrl(value: unknown): BaseUrlReading {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return { invalid: 'is empty' };
	if (!/^https?:\/\//i.test(text)) return { invalid: 'does not start with https:// or http://' };
	if (!URL.canParse(text)) return { invalid: 'is not a valid URL' };
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		return { invalid: 'holds a user name or password, which belong in a credential' };
	}
	if (url.search !== '' || url.hash !== '') {
		return { invalid: 'has something after the address, starting with ? or #' };
	}
	return { url: url.origin + withoutEndpoint(url.pathname.replace(/\/+$/, '')) };
}

function withoutEndpoint(path: string): string {
	const pasted = PASTED_ENDPOINTS.find((endpoint) => path.toLowerCase().endsWith(endpoint));
	return pasted === undefined ? path : path.slice(0, -pasted.length).replace(/\/+$/, '');
}
