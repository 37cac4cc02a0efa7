/** LinkedIn profile URLs: one spelling for each profile, so that none is looked up twice. */
import type { Json } from '../../api/contract';
import { readWords } from '../../parameters/lists';
import type { Parameter } from '../../parameters/parameter';

/** Spelled so already, as most are: parsing 10,000 URLs takes as long as fetching their profiles. */
const NORMALISED = /^https:\/\/www\.linkedin\.com\/in\/[a-z0-9-]+$/;

/**
 * Brings a LinkedIn profile URL to one spelling, `https://www.linkedin.com/in/<name>`: scheme, subdomain,
 * case, percent-encoding and what follows the name make no difference. @returns undefined for any other text
 */
export function normaliseLinkedInUrl(text: string): string | undefined {
	if (NORMALISED.test(text)) return text;
	const trimmed = text.trim();
	const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
	if (!/^https?:/i.test(withScheme) || !URL.canParse(withScheme)) return undefined;
	const { hostname, pathname } = new URL(withScheme);
	if (!/^([a-z0-9-]+\.)*linkedin\.com\.?$/.test(hostname)) return undefined;
	const [, section, name = ''] = pathname.split('/');
	if (section?.toLowerCase() !== 'in') return undefined;
	const profile = decode(name).normalize('NFC').toLowerCase().normalize('NFC').trim();
	const isName = profile !== '' && !/[\s,;]|^\.{1,2}$/u.test(profile);
	return isName ? `https://www.linkedin.com/in/${encodeURIComponent(profile)}` : undefined;
}

function decode(encoded: string): string {
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** The profile that a row of a lookup is about, as a normalised URL; undefined where it names none. */
export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? normaliseLinkedInUrl(url) : undefined;
}

/** What an input item lists as LinkedIn URLs. */
export interface LinkedInUrls {
	/** Each profile once: normalised URL to the spelling that came first. */
	urls: Map<string, string>;
	/** How many entries are about a profile that an entry before them is about. */
	duplicates: number;
	/** The entries that are no LinkedIn profile; whether to refuse them is for the operation to say. */
	invalid: unknown[];
}

export const linkedinUrls: Parameter<LinkedInUrls> = {
	property: {
		displayName: 'LinkedIn URLs',
		type: 'string',
		typeOptions: { rows: 3 },
		// Not `required`: n8n's own message names neither the item nor what to write.
		default: '',
		placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
		description:
			'Profiles: separated by commas, spaces or line breaks, or an array from an expression. Look Up asks for those of all input items together.',
	},
	read(value) {
		// Words, and what is no text as it is.
		const entries =
			readWords(value) ?? [value].flat().flatMap((entry) => readWords([entry]) ?? [entry]);
		const read: LinkedInUrls = { urls: new Map(), duplicates: 0, invalid: [] };
		for (const entry of entries) {
			const url = typeof entry === 'string' ? normaliseLinkedInUrl(entry) : undefined;
			if (url === undefined) read.invalid.push(entry);
			else if (read.urls.has(url)) read.duplicates += 1;
			else read.urls.set(url, entry as string);
		}
		return read;
	},
};
