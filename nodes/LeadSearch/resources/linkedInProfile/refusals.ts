/** Why an entry of LinkedIn URLs is not looked up, in words. */
import { formatValue } from '../../parameters/invalidParameter';

/** What is wrong with an entry. */
export type Reason = 'page' | 'shortLink' | 'cut' | 'several' | 'none' | 'blank';

/** An entry that no lookup takes, as it came: a text, or anything else that an array may hold. */
export interface Refusal {
	entry: unknown;
	reason: Reason;
}

const WRITE_ADDRESSES =
	"Write addresses such as 'https://www.linkedin.com/in/profile-name', one a line.";

/** `what` such an entry is, to be put behind "which is", and what to write in its place. */
export const REASONS: Readonly<Record<Reason, { what: string; advice: string }>> = {
	page: {
		what: 'a page of another kind',
		advice:
			"Write the profile's address, with /in/; in Sales Navigator, 'Copy LinkedIn.com URL' gives it.",
	},
	shortLink: {
		what: 'a short link',
		advice: 'Write the address that a short link leads to in a browser.',
	},
	cut: {
		what: 'cut, or not alone',
		advice:
			"Write each address whole, alone on its line: what is left of a cut one is somebody else's.",
	},
	several: { what: 'several addresses in one', advice: 'Write one address a line.' },
	none: { what: 'no LinkedIn profile', advice: WRITE_ADDRESSES },
	blank: { what: 'empty', advice: WRITE_ADDRESSES },
};

/** What JavaScript makes of a field that is not there, or holds an object. */
const OF_NO_FIELD = /(?:^'?|\/in\/)(?:undefined|null|NaN)\b|\[object /;
const CHECK_FIELD =
	"Check the field's name in the expression: 'undefined' comes of one that is not there.";

/** @returns 'a short link (2); a page of another kind (1)', most first and without what the entries hold */
export function countKinds(refused: readonly Refusal[]): string {
	const counts = new Map<Reason, number>();
	for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts]
		.sort(([, a], [, b]) => b - a)
		.map(([reason, count]) => `${REASONS[reason].what} (${count.toLocaleString('en')})`)
		.join('; ');
}

/** @returns what to write in place of these entries, a sentence or two for each kind */
export function adviceFor(refused: readonly Refusal[]): string {
	const advice = refused.map(({ entry, reason }) =>
		OF_NO_FIELD.test(formatValue(entry)) ? CHECK_FIELD : REASONS[reason].advice,
	);
	return [...new Set(advice)].join(' ');
}
