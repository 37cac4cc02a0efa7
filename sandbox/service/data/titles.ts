/** Seniority levels; the contract names `owner` and `cxo`, the others are assumed. */
export type Seniority = 'owner' | 'cxo' | 'vp' | 'director' | 'manager' | 'senior' | 'entry';

/** A job title and what follows from it. */
export interface JobTitle {
	title: string;
	seniority: Seniority;
	department: string;
}

function titles(seniority: Seniority, byTitle: Record<string, string>): JobTitle[] {
	return Object.entries(byTitle).map(([title, department]) => ({ title, seniority, department }));
}

/** Every job title that a lead can have, each with one seniority. */
export const JOB_TITLES: readonly JobTitle[] = [
	...titles('owner', { Founder: 'management', 'Co-Founder': 'management', Owner: 'management' }),
	...titles('cxo', {
		'Chief Executive Officer': 'management',
		'Chief Technology Officer': 'engineering',
		'Chief Financial Officer': 'finance',
		'Chief Marketing Officer': 'marketing',
	}),
	...titles('vp', {
		'VP of Sales': 'sales',
		'VP of Marketing': 'marketing',
		'VP of Engineering': 'engineering',
		'Vice President, Operations': 'operations',
	}),
	...titles('director', {
		'Director of Product': 'product',
		'Sales Director': 'sales',
		'IT Director': 'engineering',
		'Director of Human Resources': 'people',
	}),
	...titles('manager', {
		'Marketing Manager': 'marketing',
		'Product Manager': 'product',
		'Account Manager': 'sales',
		'Operations Manager': 'operations',
		'Engineering Manager': 'engineering',
		'HR Manager': 'people',
	}),
	...titles('senior', {
		'Senior Software Engineer': 'engineering',
		'Senior Accountant': 'finance',
		'Senior Designer': 'product',
		'Senior Data Analyst': 'engineering',
	}),
	...titles('entry', {
		'Software Engineer': 'engineering',
		'Sales Development Representative': 'sales',
		'Customer Support Specialist': 'operations',
		'Marketing Assistant': 'marketing',
		'Junior Accountant': 'finance',
	}),
];
