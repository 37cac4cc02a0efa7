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

const COPY = 'Copy the address of the profile, which has /in/ in it.';

/** What such an entry is, to be put behind "which is", and what to write in its place. */
export const REASONS: Readonly<Record<Reason, { what: string; advice: string }>> = {
	salesNavigator: {
		what: 'a Sales Navigator address',
		advice:
			'Sales Navigator addresses name no profile. Choose Copy LinkedIn.com URL in the menu of the lead, or the column with the public profile in an export, and write that.',
	},
	recruiter: {
		what: 'a LinkedIn Recruiter address',
		advice:
			'Recruiter addresses name no profile. Open the public profile from there, and write its address.',
	},
	company: {
		what: 'a page of a company or school',
		advice: `Look Up takes people. ${COPY}`,
	},
	shortLink: {
		what: 'a short link',
		advice:
			'Short links name no profile. Open them in a browser, and write the address they lead to.',
	},
	page: {
		what: 'a LinkedIn page that is no profile',
		advice: `Open the profile of the person. ${COPY}`,
	},
	field: {
		what: 'a field that is not there',
		advice:
			'Check the expression or the column that it comes from, and leave out the items that have none.',
	},
	name: {
		what: 'no name that LinkedIn allows',
		advice: `Names of profiles hold letters, digits and hyphens. ${COPY}`,
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
