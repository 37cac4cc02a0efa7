/** LinkedIn profile URLs: one spelling for each profile, so that none is looked up twice. */
import type { Json } from '../../api/contract';

/**
 * Brings a LinkedIn profile URL to one spelling: scheme, www and country subdomains, case, what
 * follows the profile name, query and percent-encoding make no difference.
 *
 * @returns `https://www.linkedin.com/in/<name>`, or undefined for anything that is no profile URL
 */
export function normaliseLinkedInUrl(text: string): string | undefined {
	const trimmed = text.trim();
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
	if (!/^https?:/i.test(withScheme) || !URL.canParse(withScheme)) return undefined;
	const { hostname, pathname } = new URL(withScheme);
	if (!/^([a-z0-9-]+\.)*linkedin\.com\.?$/.test(hostname)) return undefined;
	const [, section, name] = pathname.split('/');
	if (section?.toLowerCase() !== 'in' || name === undefined) return undefined;
	const profile = profileName(name);
	return profile === '' || /[\s,;]|^\.{1,2}$/u.test(profile)
		? undefined
		: `https://www.linkedin.com/in/${encodeURIComponent(profile)}`;
}

/** The profile that a row of a lookup is about, as a normalised URL; undefined where it names none. */
export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? normaliseLinkedInUrl(url) : undefined;
}

function profileName(encoded: string): string {
	return decode(encoded).normalize('NFC').toLowerCase().normalize('NFC').trim();
}

function decode(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}
