/** Reads a single address as that of a LinkedIn profile: one spelling for each, so that none is looked up twice. */
import type { Json } from '../../api/contract';
import type { ProfileUrls } from '../../paging/profileList';
import type { Reason } from './refusals';

/** What an address is: a profile, as a normalised URL, or why it is none. */
export type Reading = { url: string; reason?: never } | { url?: never; reason: Reason };

/** Longer texts are no address, so that nothing which is done with an address takes long. In characters. */
export const MOST_TO_READ = 2_000;

/** Scheme and subdomains, sections that LinkedIn's mobile pages and mails have before `in`; then a section and a name. */
const ADDRESS =
	/^(?:(?:https?:)?\/\/)?(?:[a-z]{1,5}\.){0,2}linkedin\.com\/+(?:(?:comm|m|mwlite)\/+)?(?:profile\/+)?([a-z-]+)(?:\/+([^/?#\s]*))?/i;

/** Behind a section: another profile. */
const OTHER = /\/in\/|^[^?#]*linkedin\.com/i;
/** Behind a name: more of it, or two question marks or hashes, which mask as other signs do. */
const GOES_ON = /^[^/?#]|\s|^(?:\?\?|##)/;
const SHORT_LINK = /^(?:https?:\/\/)?(?:lnkd\.in|linkedin\.app\.link|bit\.ly|t\.co)\//i;

/** What nobody sees and copying brings along, but what joins letters or emojis. */
export const INVISIBLE =
	/(?![\u200C\u200D])[\p{Cf}\u034F]|(?<![^\0-\u05FF])[\u200C\u200D]|[\u200C\u200D](?![^\0-\u05FF])/gu;

/**
 * What stands in names: letters, digits, hyphens, emojis with what joins them, what joins letters of other scripts,
 * and one of `._’` between them. Anything else shows that a name was cut, masked or broken.
 */
const NAME =
	/^(?=.*[\p{L}\p{N}\p{Extended_Pictographic}])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}-]|(?<=[^._’])[._’](?=[^._’])|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[^\0-\u05FF])[\u200C\u200D](?=[^\0-\u05FF])){1,120}$/u;
/** It needs no decoding. */
const PLAIN_NAME = /^[\w-]+$/;

/** What Sales Navigator and scrapers export in place of a name. Two that differ in case are two people. */
const ID = /^AC[A-Za-z](?:AA[\w-]{0,115}|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{25,115})$/;

/** In place of a name where a field was not there, or a prefix was there twice; `me` is whoever is logged in. */
const NOBODY = 'undefined null none nil nan true false me unknown n in http https'.split(' ');

/**
 * Brings the address of a LinkedIn profile to one spelling, `https://www.linkedin.com/in/<name>`: scheme, subdomain,
 * case (not of opaque ids), percent-encoding and what follows the name make no difference.
 *
 * @param text one address, and nothing around it
 */
export function readAddress(text: string): Reading {
	if (text.length > MOST_TO_READ) return { reason: 'none' };
	const [start = '', section, encoded = ''] = ADDRESS.exec(text) ?? [];
	if (section === undefined) return { reason: SHORT_LINK.test(text) ? 'shortLink' : 'none' };
	if (section.toLowerCase() !== 'in') return { reason: 'page' };
	const behind = text.slice(start.length);
	if (OTHER.test(encoded + behind)) return { reason: 'several' };
	const name = readName(encoded);
	return name === undefined || GOES_ON.test(behind)
		? { reason: 'cut' }
		: { url: `https://www.linkedin.com/in/${encodeURIComponent(name)}` };
}

/** Some tools encode twice. @returns undefined for what can't be a whole name */
function readName(encoded: string): string | undefined {
	try {
		const isPlain = PLAIN_NAME.test(encoded);
		const decoded = isPlain ? encoded : decodeURIComponent(decodeURIComponent(encoded));
		const whole = decoded.replace(INVISIBLE, '').trim();
		if (ID.test(whole)) return whole;
		const name = whole.toLowerCase().normalize('NFC');
		return NAME.test(name) && !NOBODY.includes(name) ? name : undefined;
	} catch {
		return undefined;
	}
}

/** The profile that a row of a lookup is about, as a normalised URL; undefined where it names none. */
export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? readAddress(url.trim()).url : undefined;
}

/** How a list of profiles reads its URLs. Normalised names are in lower case, but for ids. */
export const PROFILE_URLS: ProfileUrls = {
	of: profileUrlOf,
	isOpaque: (url) => url.includes('/in/AC'),
};
