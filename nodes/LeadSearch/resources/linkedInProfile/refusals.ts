/** Why an entry of LinkedIn URLs is not looked up, in words. */
import { show } from '../../parameters/invalidParameter';

/** What is wrong with an entry. */
export type Reason = 'page' | 'shortLink' | 'cut' | 'several' | 'none' | 'blank';

/** An entry that no lookup takes, as it came: a text, or anything else that an array may hold. */
export interface Refusal {
	entry: unknown;
	reason: Reason;
}

const WRITE_ADDRESSES =
	"Write addresses of LinkedIn profiles, separated by commas, spaces or line breaks, e.g. 'https://www.linkedin.com/in/profile-name'.";

/** `what` such an entry is, to be put behind "which is", and what to write in its place. */
export const REASONS: Readonly<Record<Reason, { what: string; advice: string }>> = {
	page: {
		what: 'a page of another kind',
		advice:
			'Write addresses of people, which have /in/ in them. Of a lead in Sales Navigator or Recruiter, Copy LinkedIn.com URL in its menu copies that.',
	},
	shortLink: {
		what: 'a short link',
		advice: 'Write the address that a short link leads to: open it in a browser.',
	},
	cut: {
		what: 'cut, or not alone',
		advice:
			'Write each address whole, on a line of its own, without words, quotes or brackets around it: what is left of one that was cut or masked belongs to somebody else.',
	},
	several: { what: 'several addresses in one', advice: 'Write one address a line.' },
	none: { what: 'no LinkedIn profile', advice: WRITE_ADDRESSES },
	blank: { what: 'empty', advice: WRITE_ADDRESSES },
};

/** What JavaScript makes of a field that is not there, or holds an object. */
const OF_NO_FIELD = /(?:^'?|\/in\/)(?:undefined|null|NaN)\b|\[object /;

/** @returns 'a short link (2); a page of another kind (1)', most first and without what the entries hold */
export function countKinds(refused: readonly Refusal[]): string {
	const counts = new Map<Reason, number>();
	for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts]
		.sort(([, one], [, other]) => other - one)
		.map(([reason, count]) => `${REASONS[reason].what} (${count.toLocaleString('en')})`)
		.join('; ');
}

/** @returns what to write in place of these entries, a sentence or two for each kind */
export function adviceFor(refused: readonly Refusal[]): string {
	const advice = new Set(refused.map(({ reason }) => REASONS[reason].advice));
	if (refused.some(({ entry }) => OF_NO_FIELD.test(show(entry))))
		advice.add(
			"'undefined' is what an expression makes of a field that is not there: check the field's name in the expression.",
		);
	return [...advice].join(' ');
}
