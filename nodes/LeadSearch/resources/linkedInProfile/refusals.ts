/** Why an entry of LinkedIn URLs is not looked up, in words. */

/** What is wrong with an entry; {@link REASONS} has the texts for it. */
export type Reason =
	| 'salesNavigator'
	| 'recruiter'
	| 'company'
	| 'shortLink'
	| 'page'
	| 'field'
	| 'name'
	| 'cut'
	| 'several'
	| 'none'
	| 'blank';

/** An entry that no lookup takes, as it came: a text, or anything else that an array may hold. */
export interface Refusal {
	entry: unknown;
	reason: Reason;
}

/** Texts for people about entries of one kind. */
interface Words {
	/** What such an entry is, to be put behind "which is". */
	what: string;
	/** What one such entry and several are called behind a number. */
	counted: [one: string, many: string];
	/** What to write in its place. */
	advice: string;
}

const WRITE_ADDRESSES =
	"Write addresses of LinkedIn profiles, separated by commas, spaces or line breaks, e.g. 'https://www.linkedin.com/in/profile-name'.";

export const REASONS: Readonly<Record<Reason, Words>> = {
	salesNavigator: {
		what: 'a Sales Navigator address',
		counted: ['Sales Navigator address', 'Sales Navigator addresses'],
		advice:
			'Write the address of the public profile in place of that in Sales Navigator: Copy LinkedIn.com URL, in the menu of the lead, copies it, and exports have a column for it.',
	},
	recruiter: {
		what: 'a LinkedIn Recruiter address',
		counted: ['LinkedIn Recruiter address', 'LinkedIn Recruiter addresses'],
		advice:
			'Write the address of the public profile in place of that in Recruiter, from where it opens.',
	},
	company: {
		what: 'a page of a company or school',
		counted: ['page of a company or school', 'pages of companies or schools'],
		advice: 'Write addresses of people, which have /in/ in them.',
	},
	shortLink: {
		what: 'a short link',
		counted: ['short link', 'short links'],
		advice: 'Write the address that a short link leads to: open it in a browser.',
	},
	page: {
		what: 'a LinkedIn page that is no profile',
		counted: ['LinkedIn page that is no profile', 'LinkedIn pages that are no profiles'],
		advice: 'Write the address of the profile, which has /in/ in it.',
	},
	field: {
		what: 'a field that is not there',
		counted: ['field that is not there', 'fields that are not there'],
		advice:
			'Take out the items that have no such field, or correct the expression or the column that it comes from.',
	},
	name: {
		what: 'no name that LinkedIn allows',
		counted: [
			'address without a name that LinkedIn allows',
			'addresses without a name that LinkedIn allows',
		],
		advice:
			'Write the address as LinkedIn shows it: names of profiles hold letters, digits and hyphens.',
	},
	cut: {
		what: 'an address that was cut, or masked',
		counted: ['address that was cut, or masked', 'addresses that were cut, or masked'],
		advice:
			'Write the whole address, from where it is not shortened: what is left of it belongs to somebody else.',
	},
	several: {
		what: 'an address with several profiles in it',
		counted: ['address with several profiles in it', 'addresses with several profiles in them'],
		advice: 'Write each address by itself, separated by commas, spaces or line breaks.',
	},
	none: {
		what: 'no LinkedIn profile',
		counted: ['that is no LinkedIn profile', 'that are no LinkedIn profiles'],
		advice: WRITE_ADDRESSES,
	},
	blank: {
		what: 'empty',
		counted: ['empty value', 'empty values'],
		advice: WRITE_ADDRESSES,
	},
};

/** @returns '2 short links; 1 page of a company or school', most first and without what the entries hold */
export function countKinds(refused: readonly Refusal[]): string {
	const counts = new Map<Reason, number>();
	for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
	return [...counts]
		.sort(([, one], [, other]) => other - one)
		.map(([reason, count]) => {
			const [one, many] = REASONS[reason].counted;
			return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
		})
		.join('; ');
}

/** @returns what to write in place of these entries, a sentence or two for each kind */
export function adviceFor(refused: readonly Refusal[]): string {
	const reasons = new Set(refused.map(({ reason }) => reason));
	return [...new Set(Array.from(reasons, (reason) => REASONS[reason].advice))].join(' ');
}
