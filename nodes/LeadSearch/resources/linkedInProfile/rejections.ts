/** Describes why an entry of 'LinkedIn URLs' is rejected. */
import { formatValue } from '../../parameters/invalidParameter';

/**
 * Why an entry of 'LinkedIn URLs' is rejected.
 *
 * - 'page': it is another page of LinkedIn, such as a company.
 * - 'shortLink': it is a short link, such as `lnkd.in/abc`.
 * - 'cut': it contains an address that is truncated, has no valid name, or isn't alone on its line.
 * - 'several': it consists of several addresses without a separator.
 * - 'none': it contains no address of a profile.
 * - 'blank': the value of the parameter is empty.
 */
export type Reason = 'page' | 'shortLink' | 'cut' | 'several' | 'none' | 'blank';

/** An entry that names no profile: a string, or another element of an array, such as a number. */
export interface RejectedEntry {
	entry: unknown;
	reason: Reason;
}

const WRITE_ADDRESSES =
	"Write addresses such as 'https://www.linkedin.com/in/profile-name', one per line.";

/**
 * The texts of messages, by the reason why an entry is rejected. `what` says what the entry is, and completes sentences
 * such as "contains 'lnkd.in/abc', which is a short link". `advice` says what to write instead.
 */
export const REASONS: Readonly<Record<Reason, { what: string; advice: string }>> = {
	page: {
		what: 'a page of another kind',
		advice:
			"Write the address of the profile, which contains /in/. In Sales Navigator, click 'Copy LinkedIn.com URL' to get it.",
	},
	shortLink: {
		what: 'a short link',
		advice: 'Write the address that the short link opens in a browser.',
	},
	cut: {
		what: 'truncated, or not alone on its line',
		advice:
			'Write each address in full, alone on its line: a truncated address can belong to another person.',
	},
	several: { what: 'several addresses in one', advice: 'Write one address per line.' },
	none: { what: 'no LinkedIn profile', advice: WRITE_ADDRESSES },
	blank: { what: 'empty', advice: WRITE_ADDRESSES },
};

/**
 * Matches an entry in which an expression has put `undefined`, `null` or `NaN` instead of a missing field, or
 * `[object Object]` instead of a text. `adviceFor` then advises to check the name of the field.
 */
const MISSING_FIELD = /(?:^'?|\/in\/)(?:undefined|null|NaN)\b|\[object /;
const CHECK_FIELD =
	"Check the field's name in the expression: a field that does not exist returns 'undefined'.";

/** Counts rejected entries by reason, most frequent first: 'a short link (2); a page of another kind (1)'. */
export function countKinds(rejected: readonly RejectedEntry[]): string {
	const counts = new Map<Reason, number>();
	for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([reason, count]) => `${REASONS[reason].what} (${count.toLocaleString('en')})`)
		.join('; ');
}

/** Returns what to write instead of these entries, in one or two sentences for each kind. */
export function adviceFor(rejected: readonly RejectedEntry[]): string {
	const advice = rejected.map(({ entry, reason }) =>
		MISSING_FIELD.test(formatValue(entry)) ? CHECK_FIELD : REASONS[reason].advice,
	);
	return [...new Set(advice)].join(' ');
}
