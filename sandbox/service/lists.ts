import { faker } from '@faker-js/faker/locale/en';

/** By seniority level; the contract names `owner` and `cxo`, the others are assumed. */
const TITLES = {
	owner: ['Founder', 'Co-Founder', 'Owner'],
	cxo: ['Chief Executive Officer', 'Chief Technology Officer', 'Chief Marketing Officer'],
	vp: ['VP of Sales', 'VP of Engineering', 'Vice President, Operations'],
	director: ['Sales Director', 'IT Director', 'Director of Human Resources'],
	manager: ['Marketing Manager', 'Product Manager', 'Account Manager', 'HR Manager'],
	senior: ['Senior Software Engineer', 'Senior Accountant', 'Senior Designer'],
	entry: ['Software Engineer', 'Sales Development Representative', 'Marketing Assistant'],
};

/** The country that a known number of leads live in; `dialling` is its calling code. */
export const ICELAND = {
	...{ name: 'Iceland', dialling: '+354', city: 'Reykjavík', state: 'Capital Region' },
};

/** A list of a hundred that has each value so many times. */
function percentages<T>(...shares: ReadonlyArray<[percent: number, value: T]>): T[] {
	return shares.flatMap(([percent, value]) => Array.from({ length: percent }, () => value));
}

/** Every country but Iceland. */
const COUNTRIES = percentages<typeof ICELAND>(
	[40, { name: 'United States', dialling: '+1', city: 'Austin', state: 'Texas' }],
	[15, { name: 'United Kingdom', dialling: '+44', city: 'London', state: 'England' }],
	[12, { name: 'Germany', dialling: '+49', city: 'München', state: 'Bavaria' }],
	[9, { name: 'France', dialling: '+33', city: 'Nantes', state: 'Pays de la Loire' }],
	[7, { name: 'Spain', dialling: '+34', city: 'Madrid', state: 'Community of Madrid' }],
	[6, { name: 'Netherlands', dialling: '+31', city: 'Rotterdam', state: 'South Holland' }],
	[6, { name: 'Canada', dialling: '+1', city: 'Montréal', state: 'Quebec' }],
	[5, { name: 'Sweden', dialling: '+46', city: 'Göteborg', state: 'Västra Götaland County' }],
);

/** A name, and its forms in addresses: in lower case with hyphens, and without what no email has. */
function nameOf(text: string) {
	const lower = text.normalize('NFC').toLowerCase().replaceAll("'", '');
	const slug = lower.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
	const plain = slug.normalize('NFD').replaceAll('ł', 'l').replaceAll('æ', 'ae');
	return { text, slug, ascii: plain.replace(/[^a-z0-9-]/g, '') };
}

/** Makes the leads what they are, on every machine. */
export const SEED = 20_240_229;

faker.seed(SEED);
const draw = (count: number, make: () => string) => faker.helpers.uniqueArray(make, count);
const accented = ['José', 'Zoë', 'Jürgen', 'Renée', 'Björn', 'Małgorzata', 'Łukasz', 'Ægir'];

/** What is drawn for each lead, each entry as often as any other, independent of each other. */
export const LISTS = {
	/** Of those that don't live in Iceland. */
	country: COUNTRIES,
	/** Each title belongs to one seniority. */
	job: Object.entries(TITLES).flatMap(([seniority, titles]) =>
		titles.map((title) => ({ title, seniority })),
	),
	/** How sure the service is of a work email; leads show only whether there is one. */
	work: percentages([55, 'verified'], [25, 'likely'], [20, 'none']),
	personal: percentages<string[]>([55, []], [33, ['mail']], [12, ['mail', 'post']]),
	phone: percentages([40, true], [60, false]),
	// One in eight has letters beyond ASCII.
	first: [...accented, ...draw(56, () => faker.person.firstName())].map(nameOf),
	last: draw(240, () => faker.person.lastName()).map(nameOf),
	company: draw(400, () => faker.company.name()).map(nameOf),
};
