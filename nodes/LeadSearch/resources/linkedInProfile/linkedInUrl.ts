/** Reads a single address as that of a LinkedIn profile: one spelling for each, so that none is looked up twice. */
import type { Json } from '../../api/contract';
import type { ProfileUrls } from '../../paging/profileList';
import {
	decodeName,
	isCut,
	isPlaceholder,
	PLAIN_NAME,
	readName,
	withoutInvisible,
} from './profileName';
import type { Reason } from './refusals';

/** What an address is: a profile, as a normalised URL, or why it is none. */
export type Reading = { url: string; reason?: never } | { url?: never; reason: Reason };

/** Spelled so already, as most are. */
const IS_NORMALISED = new RegExp(`^https://www\\.linkedin\\.com/in/${PLAIN_NAME}$`);

/** Longer texts are no address, so that nothing which is done with one takes long. In characters. */
const MOST_TO_READ = 2_000;
/** Addresses in addresses, as redirects and logins have them. Deeper ones are in doubt. */
const MOST_NESTED = 5;

/**
 * With the subdomains that profiles have, so that no name which an address follows is taken for one. For
 * the start of a text alone: a search for it would take long.
 */
export const HOST = '(?:(?:[a-z]{1,3}|touch)\\.)*linkedin\\.com\\.?';
/** Spelled so that no URL has to be parsed: for 10,000 that takes as long as fetching their profiles. */
const IS_USUAL = new RegExp(
	`^(?:https?://)?${HOST}/in/((?:[\\w-]|%[0-9a-f]{2})+)/?(?:\\?(?:[\\w=&%-]|\\.(?=[\\w=&%-]))*)?$`,
	'i',
);
const IS_HOST = new RegExp(`^${HOST}$`, 'i');
const IS_ADDRESS = new RegExp(`^(?:https?:/|${HOST}/)`, 'i');
const IS_FRONT = new RegExp(`^(?:https?:?|${HOST}|in)$`, 'i');
const NESTED = /linkedin\.com[/\\][^&#]*/gi;

/** Sections before `in` in LinkedIn's mobile pages and its mails. */
export const SECTIONS_BEFORE = 'comm|m|mwlite|profile';
const IS_SECTION_BEFORE = new RegExp(`^(?:${SECTIONS_BEFORE})$`, 'i');
/** What follows the last letter or digit. The lookbehind keeps the time in proportion to the length. */
const TAIL = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u;
/** In such a tail. Others of the signs that mask a name end parameters too, such as `==`. */
const CUT_AT_END = /[\u2025\u2026\u22EF*~]|\.\.|\u2022\u2022/;
const SHORTENED = /^(?:lnkd\.in|linkedin\.app\.link|(?:bit|ow)\.ly|t\.co|tinyurl\.com|goo\.gl)$/;

/** Sections of LinkedIn's pages of other kinds. */
const SECTIONS = new Map<string, Reason>([
	['sales', 'salesNavigator'],
	...['talent', 'recruiter', 'cap', 'hire'].map((name): [string, Reason] => [name, 'recruiter']),
	...['company', 'company-beta', 'school', 'showcase', 'edu'].map((name): [string, Reason] => [
		name,
		'company',
	]),
]);

/** Why an address is refused that may be meant for a profile. */
export const IN_DOUBT: ReadonlySet<Reason> = new Set<Reason>(['name', 'cut', 'several']);

/**
 * Brings the address of a LinkedIn profile to one spelling, `https://www.linkedin.com/in/<name>`: scheme,
 * subdomain, case (not of opaque ids), percent-encoding, what nobody sees, what precedes `in` once more
 * and what follows the name make no difference. @returns undefined for any other text
 */
export function normaliseLinkedInUrl(text: string): string | undefined {
	return readAddress(text).url;
}

/** The profile that a row of a lookup is about, as a normalised URL; undefined where it names none. */
export function profileUrlOf({ linkedin_url: url }: Json): string | undefined {
	return typeof url === 'string' ? normaliseLinkedInUrl(url) : undefined;
}

/** How a list of profiles reads its URLs. Normalised names are in lower case, but for ids. */
export const PROFILE_URLS: ProfileUrls = {
	of: profileUrlOf,
	isOpaque: (url) => url.includes('/in/AC'),
};

/** The same as {@link readAddress} for nearly all addresses, in less time. @returns undefined for others */
export function readUsual(text: string): Reading | undefined {
	if (text.length > MOST_TO_READ) return undefined;
	if (IS_NORMALISED.test(text)) return { url: text };
	const [, name] = IS_USUAL.exec(text) ?? [];
	return name === undefined ? undefined : readProfile(name);
}

/**
 * @param text one address, and no label or separator around it; of more than 2,000 characters it is none
 * @param depth how many addresses it stands in
 */
export function readAddress(text: string, depth = 0): Reading {
	if (text.length > MOST_TO_READ) return { reason: 'none' };
	if (depth > MOST_NESTED) return { reason: 'several' };
	const usual = readUsual(text);
	if (usual) return usual;
	const bare = withoutInvisible(text).trim();
	if (isPlaceholder(bare)) return { reason: 'field' };
	const address = asUrl(bare);
	if (!address) return { reason: 'none' };
	const { hostname, pathname } = address;
	if (!IS_HOST.test(hostname)) {
		if (SHORTENED.test(hostname)) return { reason: 'shortLink' };
		return readRedirect(address, depth) ?? { reason: 'none' };
	}
	const [tail = ''] = TAIL.exec(bare) ?? [];
	if (CUT_AT_END.test(tail)) return { reason: 'cut' };
	// The parser of URLs takes out line breaks and tabs, and makes one name of two parts.
	if (/[\t\r\n]/.test(bare)) return { reason: 'name' };
	const [section = '', name, ...rest] = pathOf(pathname);
	const more = address.search + address.hash;
	if (section.toLowerCase() === 'in') return readProfile(name, rest, more, depth);
	const known = SECTIONS.get(section.toLowerCase());
	return known ? { reason: known } : (readRedirect(address, depth) ?? { reason: 'page' });
}

/** What people and tools do to an address is undone: brackets before it, a scheme that is missing, broken or there twice. */
function asUrl(text: string): URL | undefined {
	let address = text.replace(/^[^\p{L}\p{N}/]+/u, '');
	if (/^https?%(?:25)*3a/i.test(address)) address = decodeName(address) ?? address;
	address = address.replace(/^(?:https?:[/\\]*|(?:https?)?[/\\]+)+/i, '').replaceAll('\\/', '/');
	// A browser takes each for a slash; in a name it is none.
	address = address.replaceAll('\\', address.includes('/') ? '%5C' : '/');
	return URL.canParse(`https://${address}`) ? new URL(`https://${address}`) : undefined;
}

/** The path without what stands before its last beginning, as where a prefix was put before a whole address. */
function pathOf(pathname: string): string[] {
	const steps = pathname.split('/').filter((step) => step !== '');
	let from = 0;
	const is = (pattern: RegExp, at: number) => pattern.test(steps[at] ?? '');
	while (
		is(IS_SECTION_BEFORE, from) ||
		(is(IS_FRONT, from) && (steps[from]?.toLowerCase() !== 'in' || is(IS_FRONT, from + 1)))
	)
		from += 1;
	return steps.slice(from);
}

/** @param encoded the name @param rest of the path @param more what follows the path @param depth see {@link readAddress} */
function readProfile(
	encoded: string | undefined,
	rest: string[] = [],
	more = '',
	depth = 0,
): Reading {
	if (encoded === undefined) return { reason: 'field' };
	const decoded = decodeName(encoded);
	if (decoded === undefined) return { reason: 'name' };
	// A prefix before an address that was encoded as a name.
	if (IS_ADDRESS.test(decoded)) return readAddress(decoded, depth + 1);
	// Question marks and hashes mask as other signs do, and a name never reaches beyond them.
	if (rest.length === 0 && /^(?:\?\?|##)/.test(more)) return { reason: 'cut' };
	const name = readName(decoded);
	if (name === undefined) return { reason: isCut(decoded) ? 'cut' : 'name' };
	const isNotAvailable = name === 'n' && /^a\b/i.test(rest[0] ?? '');
	if (isPlaceholder(name) || isNotAvailable) return { reason: 'field' };
	const url = `https://www.linkedin.com/in/${encodeURIComponent(name)}`;
	const path = `/${rest.join('/')}`;
	const others = more.match(NESTED) ?? [];
	const isSame = (other: string) => {
		const { url: named, reason } = readAddress(other, depth + 1);
		return named === url || (reason !== undefined && !IN_DOUBT.has(reason));
	};
	const isAlone = !/\/in\/.|linkedin\.com/i.test(path) && others.every(isSame);
	return isAlone ? { url } : { reason: 'several' };
}

/** The profile that a page leads to, such as LinkedIn's login or what mail programs put before links. */
function readRedirect({ searchParams }: URL, depth: number): Reading | undefined {
	const urls = [...searchParams.values()]
		.filter((value) => /^https?:/i.test(value))
		.map((value) => readAddress(value, depth + 1).url)
		.filter((url) => url !== undefined);
	const [url, ...others] = new Set(urls);
	if (url === undefined) return undefined;
	return others.length === 0 ? { url } : { reason: 'several' };
}
