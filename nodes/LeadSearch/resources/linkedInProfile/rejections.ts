import { formatValue } from '../../parameters/invalidParameter';

/**
 * Why an entry of 'LinkedIn URLs' is rejected. 'page' is another page of LinkedIn, such as a company. A name that
 * isn't valid is 'cut', too.
 */
export type Reason = 'page' | 'shortLink' | 'cut' | 'several' | 'none' | 'blank';

/** An entry is a string, or another element of an array, such as a number. */
export interface RejectedEntry {
	entry: unknown;
	reason: Reason;
}

const WRITE_ADDRESSES =
	"Write addresses such as 'https://www.linkedin.com/in/profile-name', one per line.";

/** `what` completes sentences such as "contains 'lnkd.in/abc', which is a short link". */
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
 * An expression puts `undefined`, `null` or `NaN` instead of a missing field, and `[object Object]` instead of a
 * text.
 */
const MISSING_FIELD = /(?:^'?|\/in\/)(?:undefined|null|NaN)\b|\[object /;
const CHECK_FIELD =
	"Check the field's name in the expression: a field that does not exist returns 'undefined'.";

/** Returns the most frequent reason first: 'a short link (2); a page of another kind (1)'. */
export function countKinds(rejected: readonly RejectedEntry[]): string {
	const counts = new Map<Reason, number>();
	for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([reason, count]) => `${REASONS[reason].what} (${count.toLocaleString('en')})`)
		.join('; ');
}

export function adviceFor(rejected: readonly RejectedEntry[]): string {
	const advice = rejected.map(({ entry, reason }) =>
		MISSING_FIELD.test(formatValue(entry)) ? CHECK_FIELD : REASONS[reason].advice,
	);
	return [...new Set(advice)].join(' ');
}
