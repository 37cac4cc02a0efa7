/** Reads the address of a LinkedIn profile. Each profile gets one spelling, so that it isn't looked up twice. */
import type { Json } from '../../api/contract';
import type { ProfileUrls } from '../../paging/profileList';
import type { Reason } from './rejections';

/** The normalized URL of a profile, or the reason why an address names no profile. */
export type Reading = { url: string; reason?: never } | { url?: never; reason: Reason };

/** The limit of characters in an address. Longer texts are rejected, so that reading an address never takes long. */
export const MAX_CHARACTERS = 2_000;

/**
 * Matches an address on LinkedIn. Its groups are the first section of the path (`in` for a profile) and the name
 * after it. Scheme and subdomains are optional. Sections that LinkedIn's mobile pages and mails put before `in`, such
 * as `/comm/`, are skipped.
 */
const ADDRESS =
	/^(?:(?:https?:)?\/\/)?(?:[a-z]{1,5}\.){0,2}linkedin\.com\/+(?:(?:comm|m|mwlite)\/+)?(?:profile\/+)?([a-z-]+)(?:\/+([^/?#\s]*))?/i;

/** Matches the address of a second profile in the text after the first one. */
const SECOND_PROFILE = /\/in\/|^[^?#]*linkedin\.com/i;
/**
 * Matches the text after a name if it shows that the name isn't complete. The text may contain the rest of the name, as
 * in `/in/anna bell`. Or two question marks or hashes mask the rest, as in `/in/ann???`.
 */
const MORE_OF_NAME = /^[^/?#]|\s|^(?:\?\?|##)/;
const SHORT_LINK = /^(?:https?:\/\/)?(?:lnkd\.in|linkedin\.app\.link|bit\.ly|t\.co)\//i;

/** Invisible characters that are copied along with a text, except those that join letters or emojis. */
export const INVISIBLE =
	/(?![\u200C\u200D])[\p{Cf}\u034F]|(?<![^\0-\u05FF])[\u200C\u200D]|[\u200C\u200D](?![^\0-\u05FF])/gu;

/**
 * The name in a profile's URL (the part after `/in/`) consists of letters, digits, hyphens and emojis. One of `._’`
 * may stand between two of them. Joiners are allowed within an emoji and between letters of scripts that use them.
 * Any other character shows that the name was truncated, masked or broken.
 */
const NAME =
	/^(?=.*[\p{L}\p{N}\p{Extended_Pictographic}])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}-]|(?<=[^._’])[._’](?=[^._’])|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[^\0-\u05FF])[\u200C\u200D](?=[^\0-\u05FF])){1,120}$/u;
/** Matches the name of a profile that has no percent-encoding, such as `anna-bell`. It needs no decoding. */
const PLAIN_NAME = /^[\w-]+$/;

/**
 * Matches an opaque ID such as `ACoAA…`, which Sales Navigator and scrapers export instead of the name of a profile.
 * Two IDs that differ only in case belong to different people.
 */
const ID = /^AC[A-Za-z](?:AA[\w-]{0,115}|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{25,115})$/;

/**
 * Words that aren't the name of a profile: they stand for a missing field (`null`, `unknown`), or the start of a URL
 * was written twice (`in`, `https`). `me` is the user who is logged in.
 */
const NO_NAMES = 'undefined null none nil nan true false me unknown n in http https'.split(' ');

/**
 * Normalizes the address of a LinkedIn profile to `https://www.linkedin.com/in/<name>`. Scheme, subdomain, case (except
 * in opaque IDs), percent-encoding and the text after the name make no difference.
 *
 * @param text one address without any other text
 */
export function readAddress(text: string): Reading {
	if (text.length > MAX_CHARACTERS) return { reason: 'none' };
	const [start = '', section, encoded = ''] = ADDRESS.exec(text) ?? [];
	if (section === undefined) return { reason: SHORT_LINK.test(text) ? 'shortLink' : 'none' };
	if (section.toLowerCase() !== 'in') return { reason: 'page' };
	const rest = text.slice(start.length);
	if (SECOND_PROFILE.test(encoded + rest)) return { reason: 'several' };
	const name = readName(encoded);
	return name === undefined || MORE_OF_NAME.test(rest)
		? { reason: 'cut' }
		: { url: `https://www.linkedin.com/in/${encodeURIComponent(name)}` };
}

/**
 * Decodes the name in the URL of a profile (the part after `/in/`). If the result is still encoded, it is decoded
 * again, because some tools encode twice. Returns undefined if the result can't be the complete name of a profile.
 */
function readName(encoded: string): string | undefined {
	try {
		const isPlain = PLAIN_NAME.test(encoded);
		const decoded = isPlain ? encoded : decodeURIComponent(decodeURIComponent(encoded));
		const whole = decoded.replace(INVISIBLE, '').trim();
		if (ID.test(whole)) return whole;
		const name = whole.toLowerCase().normalize('NFC');
		return NAME.test(name) && !NO_NAMES.includes(name) ? name : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Returns the normalized URL of the profile in a row, from the field `linkedin_url`; undefined if the field has no URL
 * of a profile.
 */
export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? readAddress(url.trim()).url : undefined;
}

/**
 * Reads profile URLs for a `ProfileList`, which matches the rows of a lookup to the requested URLs. Names are
 * normalized to lower case, except opaque IDs (`ACoAA…`). So a name that starts with `AC` is an opaque ID.
 */
export const PROFILE_URLS: ProfileUrls = {
	of: profileUrlOf,
	isOpaque: (url) => url.includes('/in/AC'),
};
