/** Describes why an entry of 'LinkedIn URLs' is rejected. */
import { formatValue } from '../../parameters/invalidParameter';

/**
 * Why an entry is rejected: another page of LinkedIn, a short link, a truncated address, several addresses without a
 * separator, no address of a profile, or an empty entry.
 */
export type Reason = 'page' | 'shortLink' | 'cut' | 'several' | 'none' | 'blank';

/** An entry that names no profile: a string, or any other value of an array. */
export interface RejectedEntry {
	entry: unknown;
	reason: Reason;
}

const WRITE_ADDRESSES =
	"Write addresses such as 'https://www.linkedin.com/in/profile-name', one per line.";

/** For each reason: `what` the entry is (it completes the words "which is"), and what to write instead. */
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

/** The text that an expression returns for a missing field or for an object. */
const MISSING_FIELD = /(?:^'?|\/in\/)(?:undefined|null|NaN)\b|\[object /;
const CHECK_FIELD =
	"Check the field's name in the expression: a field that does not exist returns 'undefined'.";

/** Counts rejected entries by kind, most frequent first: 'a short link (2); a page of another kind (1)'. */
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
