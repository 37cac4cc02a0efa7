/** Values that the fields of leads are drawn from. */
import { faker } from '@faker-js/faker/locale/en';

/** Titles by seniority level. The contract names `owner` and `cxo`, the others are assumptions. */
const TITLES = {
	owner: ['Founder', 'Co-Founder', 'Owner'],
	cxo: ['Chief Executive Officer', 'Chief Technology Officer', 'Chief Marketing Officer'],
	vp: ['VP of Sales', 'VP of Engineering', 'Vice President, Operations'],
	director: ['Sales Director', 'IT Director', 'Director of Human Resources'],
	manager: ['Marketing Manager', 'Product Manager', 'Account Manager', 'HR Manager'],
	senior: ['Senior Software Engineer', 'Senior Accountant', 'Senior Designer'],
	entry: ['Software Engineer', 'Sales Development Representative', 'Marketing Assistant'],
};

/** The country with a known number of leads. `dialling` is its calling code. */
export const ICELAND = {
	name: 'Iceland',
	dialling: '+354',
	city: 'Reykjavík',
	state: 'Capital Region',
};

/** Returns a list of 100 values, each as often as its percentage. */
function percentages<T>(...shares: ReadonlyArray<[percent: number, value: T]>): T[] {
	return shares.flatMap(([percent, value]) => Array.from({ length: percent }, () => value));
}

/** All countries except Iceland. */
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

/** Returns a name with its forms for URLs (lower case with hyphens) and for email addresses (ASCII only). */
function nameOf(text: string) {
	const lower = text.normalize('NFC').toLowerCase().replaceAll("'", '');
	const slug = lower.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
	const plain = slug.normalize('NFD').replaceAll('ł', 'l').replaceAll('æ', 'ae');
	return { text, slug, ascii: plain.replace(/[^a-z0-9-]/g, '') };
}

/** Seed of all random values, so that leads are the same on every machine. */
export const SEED = 20_240_229;

faker.seed(SEED);
const draw = (count: number, make: () => string) => faker.helpers.uniqueArray(make, count);
const accented = ['José', 'Zoë', 'Jürgen', 'Renée', 'Björn', 'Małgorzata', 'Łukasz', 'Ægir'];

/** For each lead, one entry of each list is drawn, independently and with equal probability. */
export const LISTS = {
	/** Countries of leads outside of Iceland. */
	country: COUNTRIES,
	/** Each title belongs to one seniority. */
	job: Object.entries(TITLES).flatMap(([seniority, titles]) =>
		titles.map((title) => ({ title, seniority })),
	),
	/** Status of the work email. Lead records only show whether there is one. */
	work: percentages([55, 'verified'], [25, 'likely'], [20, 'none']),
	personal: percentages<string[]>([55, []], [33, ['mail']], [12, ['mail', 'post']]),
	phone: percentages([40, true], [60, false]),
	// One name in eight has non-ASCII letters.
	first: [...accented, ...draw(56, () => faker.person.firstName())].map(nameOf),
	last: draw(240, () => faker.person.lastName()).map(nameOf),
	company: draw(400, () => faker.company.name()).map(nameOf),
};
