/** Why an entry of LinkedIn URLs is not looked up, in words. */

export type Reason =
	| 'salesNavigator'
	| 'recruiter'
	| 'company'
	| 'shortLink'
	| 'page'
	| 'field'
	| 'name'
	| 'several'
	| 'none';

/** An entry as it came, a text or anything else. */
export interface Refusal {
	entry: unknown;
	reason: Reason;
}

/** What such an entry is, to be put behind "which is", and what to write in its place. */
export const REASONS: Readonly<Record<Reason, { what: string; advice: string }>> = {
	salesNavigator: {
		what: 'a Sales Navigator address',
		advice:
			'Write the address of the public profile in place of that in Sales Navigator: Copy LinkedIn.com URL, in the menu of the lead, copies it, and exports have a column for it.',
	},
	recruiter: {
		what: 'a LinkedIn Recruiter address',
		advice:
			'Write the address of the public profile in place of that in Recruiter, from where it opens.',
	},
	company: {
		what: 'a page of a company or school',
		advice: 'Write addresses of people, which have /in/ in them.',
	},
	shortLink: {
		what: 'a short link',
		advice: 'Write the address that a short link leads to: open it in a browser.',
	},
	page: {
		what: 'a LinkedIn page that is no profile',
		advice: 'Write the address of the profile, which has /in/ in it.',
	},
	field: {
		what: 'a field that is not there',
		advice:
			'Take out the items that have no such field, or correct the expression or the column that it comes from.',
	},
	name: {
		what: 'no name that LinkedIn allows',
		advice:
			'Write the address as LinkedIn shows it: names of profiles hold letters, digits and hyphens.',
	},
	several: {
		what: 'an address with several profiles in it',
		advice: 'Write each address by itself, separated by commas, spaces or line breaks.',
	},
	none: {
		what: 'no LinkedIn profile',
		advice:
			"Write addresses of LinkedIn profiles, separated by commas, spaces or line breaks, e.g. 'https://www.linkedin.com/in/profile-name'.",
	},
};
