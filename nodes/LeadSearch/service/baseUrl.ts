/** The Base URL of a lead service, as people paste it. */
import { ENDPOINT_PATH } from './contract';

export type BaseUrlReading = { url: string } | { complaint: string };

const PASTED_ENDPOINTS = [...Object.values(ENDPOINT_PATH), '/api/public', '/api/linkedin', '/api'];

/**
 * Reads a Base URL. A trailing slash and a pasted endpoint path cause no harm.
 *
 * @returns the URL without trailing slash, to put an endpoint's path behind; or what to tell
 */
export function readBaseUrl(value: unknown): BaseUrlReading {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return { complaint: 'is empty' };
	if (!/^https?:\/\//i.test(text))
		return { complaint: 'does not start with https:// or http://' };
	if (!URL.canParse(text)) return { complaint: 'is not a valid URL' };
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') {
		return { complaint: 'holds a user name or password, which belong in a credential' };
	}
	if (url.search !== '' || url.hash !== '') {
		return { complaint: 'has something after the address, starting with ? or #' };
	}
	return { url: url.origin + withoutEndpoint(url.pathname.replace(/\/+$/, '')) };
}

function withoutEndpoint(path: string): string {
	const pasted = PASTED_ENDPOINTS.find((endpoint) => path.toLowerCase().endsWith(endpoint));
	return pasted === undefined ? path : path.slice(0, -pasted.length).replace(/\/+$/, '');
}
