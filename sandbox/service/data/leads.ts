/**
 * All the leads of the service, by number from 0. None is stored: each of their fields is computed
 * from the number whenever it is asked for.
 */
import type { Filters, LeadRecord } from '../contract/schemas';
import { COUNTRIES, ICELAND, JOBS, NAMES, SEED, type Country, type Job, type Name } from './lists';

/** How many leads there are. */
export const DEFAULT_LEADS = 120_000;
/** How many of them are in Iceland: a search whose size is known beforehand. */
export const ICELAND_LEADS = 2_350;

const ALL_LEADS = Uint32Array.from({ length: DEFAULT_LEADS }, (_, lead) => lead);
/** Filters whose matches are kept: at most 480 KB each. */
const KEPT_FILTERS = 32;
const matches = new Map<string, Uint32Array>();
/** What is drawn for each lead; the draws don't depend on each other. */
const TRAITS = ['country', 'job', 'work', 'personal', 'phone', 'first', 'last', 'company'] as const;
type Trait = (typeof TRAITS)[number];

// Named once: Jest's sandbox makes every look at the global slow.
const { imul } = Math;

/** The same well-spread 32-bit number for the same two numbers. */
function hash(one: number, other: number): number {
	let h = imul(one + 1, 0x9e3779b1) ^ other;
	h = imul(h ^ (h >>> 16), 0x85ebca6b);
	h = imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

/** @throws RangeError when the list is empty */
function pick<T>(list: readonly T[], drawn: number): T {
	const entry = list[drawn % list.length];
	if (entry === undefined) throw new RangeError('Nothing to pick from');
	return entry;
}

function presence(known: boolean): LeadRecord['email_status'] {
	return known ? 'found' : 'not_found';
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** Whether the lead has any email address, work or personal. */
export function hasEmail(lead: number): boolean {
	return emailQuality(lead) !== 'none' || personalEmails(lead) > 0;
}

/**
 * The lead record with every contact detail and without `raw` (contract: "Lead record").
 * @throws RangeError when there is no such lead
 */
export function leadAt(lead: number): LeadRecord {
	if (!Number.isInteger(lead) || lead < 0 || lead >= DEFAULT_LEADS)
		throw new RangeError(`There is no lead ${lead}: leads are 0 to ${DEFAULT_LEADS - 1}`);
	const { first, last } = nameOf(lead);
	const { name: country, dialling, city, state } = countryOf(lead);
	const company = companyOf(lead);
	const hasWorkEmail = emailQuality(lead) !== 'none';
	const hasPhone = percentOf(lead, 'phone') < 40;
	const mailbox = `${first.ascii}.${last.ascii}`;
	return {
		first_name: first.text,
		last_name: last.text,
		full_name: `${first.text} ${last.text}`,
		email_status: presence(hasWorkEmail),
		phone_status: presence(hasPhone),
		job_title: jobOf(lead).title,
		company: company.text,
		city,
		state,
		country,
		work_email: hasWorkEmail ? `${mailbox}@${company.ascii}.example` : null,
		// In the reserved top-level domain `example`, so that no address is anybody's.
		personal_emails: ['mail', 'post']
			.slice(0, personalEmails(lead))
			.map((host) => `${mailbox}.${lead}@${host}.example`),
		mobile_phone: hasPhone ? `${dialling}555${1_000_000 + lead}` : null,
		linkedin_url: `https://www.linkedin.com/in/${encodeURIComponent(profileOf(lead))}`,
		linkedin_status: 'found',
		facebook_status: presence(lead % 3 === 0),
		twitter_status: presence(lead % 5 < 2),
	};
}

/** A lead's `raw` object; the contract shows none of its contents. */
export function rawAt(lead: number): Record<string, unknown> {
	const { title, seniority } = jobOf(lead);
	const { city, state: region, name: country } = countryOf(lead);
	const { text: name, ascii } = companyOf(lead);
	const website_url = `https://www.${ascii}.example`;
	return {
		id: `person_${lead}`,
		headline: `${title} at ${name}`,
		seniority,
		location: { city, region, country },
		organization: { name, website_url, industry: 'Computer Software', founded_year: 1998 },
		employment_history: [{ title, organization_name: name, start_year: 2008, current: true }],
	};
}

/**
 * The numbers of the leads that fit the filters, in the order the service serves them. Between
 * fields all must fit, within a field any term suffices, and a field without terms lets everybody
 * pass. Titles fit when they contain the term, seniorities and countries when they equal it, all
 * without regard to case (the contract shows no more than names).
 *
 * The array is shared between callers: read it only.
 */
export function matching(filters: Filters = {}): Uint32Array {
	const titles = terms(filters.job_titles);
	const seniorities = terms(filters.job_title_seniority);
	const countries = terms(filters.person_location_country);
	const emailStatus = filters.email_status ?? 'all';
	const key = JSON.stringify([titles, seniorities, countries, emailStatus]);
	const kept = matches.get(key);
	if (kept !== undefined) return kept;
	// Worked out once per country and job, not once per lead.
	const fits = (list: string[], text: string) => list.length === 0 || list.includes(text);
	const fittingCountries = new Set(
		[ICELAND, ...COUNTRIES].filter(({ name }) => fits(countries, name.toLowerCase())),
	);
	const fittingJobs = new Set(
		JOBS.filter(
			({ title, seniority }) =>
				(titles.length === 0 ||
					titles.some((term) => title.toLowerCase().includes(term))) &&
				fits(seniorities, seniority),
		),
	);
	const fitting = ALL_LEADS.filter(
		(lead) =>
			fittingCountries.has(countryOf(lead)) &&
			fittingJobs.has(jobOf(lead)) &&
			(emailStatus === 'all' || emailStatus === emailQuality(lead)),
	);
	const [oldest] = matches.keys();
	if (matches.size >= KEPT_FILTERS && oldest !== undefined) matches.delete(oldest);
	matches.set(key, fitting);
	return fitting;
}

function terms(list: string[] = []): string[] {
	const normal = list.map((term) => term.trim().toLowerCase());
	return [...new Set(normal)].filter(Boolean).sort();
}

/**
 * The lead whom a LinkedIn profile URL belongs to, whatever the URL's scheme, subdomain, case,
 * query and what follows the profile's name; undefined when the URL is no lead's.
 */
export function leadOfUrl(url: string): number | undefined {
	const path = /(?:^|[/.])linkedin\.com\/in\/([^/?#\s]+)/i.exec(url)?.[1];
	if (path === undefined) return undefined;
	const profile = decoded(path).normalize('NFC').toLowerCase();
	const lead = Number(/-(\d+)$/.exec(profile)?.[1] ?? NaN);
	return lead < DEFAULT_LEADS && profile === profileOf(lead) ? lead : undefined;
}

/** The last part of the profile's URL: the lead's name and number. */
function profileOf(lead: number): string {
	const { first, last } = nameOf(lead);
	return `${first.slug}-${last.slug}-${lead}`;
}

function draw(lead: number, trait: Trait): number {
	return hash(lead, SEED + TRAITS.indexOf(trait) * 7919);
}

function percentOf(lead: number, trait: Trait): number {
	return draw(lead, trait) % 100;
}

function jobOf(lead: number): Job {
	return pick(JOBS, draw(lead, 'job'));
}

function companyOf(lead: number): Name {
	return pick(NAMES.companies, draw(lead, 'company'));
}

function nameOf(lead: number): { first: Name; last: Name } {
	return {
		first: pick(NAMES.first, draw(lead, 'first')),
		last: pick(NAMES.last, draw(lead, 'last')),
	};
}

/** Leads in Iceland are spread evenly; all others live where they were drawn. */
function countryOf(lead: number): Country {
	const icelandersBefore = Math.floor((lead * ICELAND_LEADS) / DEFAULT_LEADS);
	const isIcelander = Math.floor(((lead + 1) * ICELAND_LEADS) / DEFAULT_LEADS) > icelandersBefore;
	return isIcelander ? ICELAND : pick(COUNTRIES, draw(lead, 'country'));
}

/**
 * How sure the service is of a work email; leads show only whether there is one. 55% verified, 25%
 * likely, 20% without any.
 */
function emailQuality(lead: number): 'verified' | 'likely' | 'none' {
	const percent = percentOf(lead, 'work');
	if (percent < 55) return 'verified';
	return percent < 80 ? 'likely' : 'none';
}

/** How many: 0 for 55%, 1 for 33%, 2 for 12%. */
function personalEmails(lead: number): number {
	const percent = percentOf(lead, 'personal');
	return Number(percent >= 55) + Number(percent >= 88);
}
