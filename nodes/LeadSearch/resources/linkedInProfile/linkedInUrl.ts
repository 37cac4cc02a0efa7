/** Reads the address of a LinkedIn profile. Each profile gets one spelling, so that it isn't looked up twice. */
import type { Json } from '../../api/contract';
import type { ProfileUrls } from '../../paging/profileList';
import type { Reason } from './rejections';

/** The normalized URL of an address, or why it is rejected. */
export type Reading = { url: string; reason?: never } | { url?: never; reason: Reason };

/** Longer texts are rejected, so that reading an address never takes long. */
export const MAX_CHARACTERS = 2_000;

/**
 * Matches the address of a page. Its groups are the first section of the path (`in` for a profile) and the name after
 * it. LinkedIn's mobile pages and mails put sections such as `/comm/` before `in`.
 */
const ADDRESS =
	/^(?:(?:https?:)?\/\/)?(?:[a-z]{1,5}\.){0,2}linkedin\.com\/+(?:(?:comm|m|mwlite)\/+)?(?:profile\/+)?([a-z-]+)(?:\/+([^/?#\s]*))?/i;

const SECOND_PROFILE = /\/in\/|^[^?#]*linkedin\.com/i;
/**
 * The text after a name can contain the rest of the name, as in `/in/anna bell`. Two question marks or hashes mask
 * the rest, as in `/in/ann???`.
 */
const MORE_OF_NAME = /^[^/?#]|\s|^(?:\?\?|##)/;
const SHORT_LINK = /^(?:https?:\/\/)?(?:lnkd\.in|linkedin\.app\.link|bit\.ly|t\.co)\//i;

/** Invisible characters are copied along with a text. Those that join letters or emojis are kept. */
export const INVISIBLE =
	/(?![\u200C\u200D])[\p{Cf}\u034F]|(?<![^\0-\u05FF])[\u200C\u200D]|[\u200C\u200D](?![^\0-\u05FF])/gu;

/**
 * A name consists of letters, digits, hyphens and emojis, and one of `._’` between two of them. Joiners are allowed
 * within an emoji and between letters of scripts that use them. Any other character shows that the name was
 * truncated, masked or broken.
 */
const NAME =
	/^(?=.*[\p{L}\p{N}\p{Extended_Pictographic}])(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}-]|(?<=[^._’])[._’](?=[^._’])|(?<=\p{Extended_Pictographic})\uFE0F|(?<=[^\0-\u05FF])[\u200C\u200D](?=[^\0-\u05FF])){1,120}$/u;
const PLAIN_NAME = /^[\w-]+$/;

/**
 * Matches an opaque ID such as `ACoAA…`, which Sales Navigator and scrapers export instead of the name of a profile.
 * Two IDs that differ only in case belong to different people.
 */
const ID = /^AC[A-Za-z](?:AA[\w-]{0,115}|(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{25,115})$/;

/**
 * Words that no profile has as its name. They come from a missing field (`null`), or from a URL whose start was written
 * twice (`in`, `https`). `me` is the user who is logged in.
 */
const NO_NAMES = 'undefined null none nil nan true false me unknown n in http https'.split(' ');

/**
 * Normalizes an address to `https://www.linkedin.com/in/<name>`. Scheme, subdomain, case (except in opaque IDs),
 * percent-encoding and the text after the name make no difference.
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
 * Decodes twice, because some tools encode twice. Returns undefined if the result can't be the complete name of a
 * profile.
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

export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? readAddress(url.trim()).url : undefined;
}

/** All names except opaque IDs are in lower case, so a name that starts with `AC` is an opaque ID. */
export const PROFILE_URLS: ProfileUrls = {
	of: profileUrlOf,
	isOpaque: (url) => url.includes('/in/AC'),
};
