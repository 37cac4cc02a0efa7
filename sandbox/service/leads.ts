/** All leads, by number from 0. They are not stored: each field is computed from the number. */
import { unescape } from 'node:querystring';
import type { Filters, LeadRecord } from './contract';
import type { List, Row } from './model';
import { ICELAND, LISTS, SEED } from './lists';

/** Number of leads in the database. */
export const DEFAULT_LEADS = 120_000;
/** Number of leads in Iceland, so that tests have a search of a known size. */
export const ICELAND_LEADS = 2_350;

const ALL_LEADS = Uint32Array.from({ length: DEFAULT_LEADS }, (_, lead) => lead);
const matches = new Map<string, Uint32Array>();
const TRAITS = Object.keys(LISTS);

// Destructured once, because access to globals is slow in Jest's sandbox.
const { floor, imul } = Math;

function hash(one: number, other: number): number {
	let h = imul(one + 1, 0x9e3779b1) ^ other;
	h = imul(h ^ (h >>> 16), 0x85ebca6b);
	h = imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

function drawn<T extends keyof typeof LISTS>(lead: number, trait: T) {
	const list: ReadonlyArray<(typeof LISTS)[T][number]> = LISTS[trait];
	const entry = list[hash(lead, SEED + TRAITS.indexOf(trait) * 7919) % list.length];
	if (entry === undefined) throw new RangeError(`There is no ${trait} to draw`);
	return entry;
}

const presence = (known: boolean) => (known ? 'found' : 'not_found');

/**
 * Returns the record of a lead with all contact details and without `raw` (contract, "Lead record").
 *
 * @throws RangeError if there is no such lead
 */
export function leadAt(lead: number): LeadRecord {
	if (!Number.isInteger(lead) || lead < 0 || lead >= DEFAULT_LEADS)
		throw new RangeError(`There is no lead ${lead}: leads are 0 to ${DEFAULT_LEADS - 1}`);
	const first = drawn(lead, 'first');
	const last = drawn(lead, 'last');
	const company = drawn(lead, 'company');
	const { name: country, dialling, city, state } = countryOf(lead);
	const hasWorkEmail = drawn(lead, 'work') !== 'none';
	const hasPhone = drawn(lead, 'phone');
	const mailbox = `${first.ascii}.${last.ascii}`;
	return {
		first_name: first.text,
		last_name: last.text,
		full_name: `${first.text} ${last.text}`,
		email_status: presence(hasWorkEmail),
		phone_status: presence(hasPhone),
		job_title: drawn(lead, 'job').title,
		company: company.text,
		city,
		state,
		country,
		work_email: hasWorkEmail ? `${mailbox}@${company.ascii}.example` : null,
		// The top-level domain `example` is reserved, so that no address belongs to a person.
		personal_emails: drawn(lead, 'personal').map((host) => `${mailbox}.${lead}@${host}.example`),
		mobile_phone: hasPhone ? `${dialling}555${1_000_000 + lead}` : null,
		linkedin_url: `https://www.linkedin.com/in/${encodeURIComponent(profileOf(lead))}`,
		linkedin_status: 'found',
		facebook_status: presence(lead % 3 === 0),
		twitter_status: presence(lead % 5 < 2),
	};
}

function rowOf(id: number, extraFields?: object): Row {
	const { title, seniority } = drawn(id, 'job');
	// The contract doesn't show the contents of `raw`.
	const raw = { id: `person_${id}`, headline: title, seniority };
	return { id, record: { ...leadAt(id), ...extraFields }, raw };
}

/** Returns leads as a list of rows. Each lead gets the extra fields. */
export function rowsOf(leads: Uint32Array, extraFields?: object): List<Row> {
	const slice = (from: number, to: number) =>
		Array.from(leads.subarray(from, to), (lead) => rowOf(lead, extraFields));
	return { length: leads.length, slice };
}

/** Returns the row of the profile with this URL, or undefined. */
export function profileAt(url: string): Row | undefined {
	const lead = leadOfUrl(url);
	return lead === undefined ? undefined : rowOf(lead);
}

/** Normalizes a text to words between spaces, so that CTO doesn't match Director. */
const wordsOf = (text: string) =>
	` ${text
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim()} `;

/**
 * Returns the numbers of the leads that match the filters, in order. Callers share the array. A lead must match every
 * filter by at least one of its terms. A title matches if it contains the words of the term, a seniority or country if it
 * equals the term. Case is ignored. (The contract doesn't describe matching.)
 */
export function matching(filters: Filters = {}): Uint32Array {
	const terms = (list: string[] = []) =>
		list.map((term) => term.trim().toLowerCase()).filter(Boolean);
	const titles = terms(filters.job_titles);
	const seniorities = terms(filters.job_title_seniority);
	const countries = terms(filters.person_location_country);
	const emailStatus = filters.email_status ?? 'all';
	const key = JSON.stringify([titles, seniorities, countries, emailStatus]);
	const cached = matches.get(key);
	if (cached !== undefined) return cached;
	const isAccepted = (wanted: string[], fits: (term: string) => boolean) =>
		wanted.length === 0 || wanted.some(fits);
	// Computed once per country and job instead of once per lead.
	const accepted = new Set<object>([
		...[ICELAND, ...LISTS.country].filter(({ name }) =>
			isAccepted(countries, (term) => term === name.toLowerCase()),
		),
		...LISTS.job.filter(
			({ title, seniority }) =>
				isAccepted(titles, (term) => wordsOf(title).includes(wordsOf(term))) &&
				isAccepted(seniorities, (term) => seniority === term),
		),
	]);
	const result = ALL_LEADS.filter(
		(lead) =>
			accepted.has(countryOf(lead)) &&
			accepted.has(drawn(lead, 'job')) &&
			(emailStatus === 'all' || emailStatus === drawn(lead, 'work')),
	);
	// Each entry has at most 480 kB.
	if (matches.size >= 32) matches.clear();
	matches.set(key, result);
	return result;
}

/** Returns the URL with the opaque ID of a lead, as exported by Sales Navigator. The lead's row has its public URL. */
export const opaqueUrlOf = (lead: number) => `https://www.linkedin.com/in/ACoAALead${lead}`;

/** Returns the lead of a profile URL. Scheme, subdomain, query, further path and case (except in IDs) are ignored. */
export function leadOfUrl(url: string): number | undefined {
	const path = /(?:^|[/.])linkedin\.com\/in\/([^/?#\s]+)/i.exec(url)?.[1];
	if (path === undefined) return undefined;
	const id = Number(/^ACoAALead(\d+)$/.exec(path)?.[1] ?? NaN);
	if (id < DEFAULT_LEADS) return id;
	const profile = unescape(path).normalize('NFC').toLowerCase();
	const lead = Number(/-(\d+)$/.exec(profile)?.[1] ?? NaN);
	return lead < DEFAULT_LEADS && profile === profileOf(lead) ? lead : undefined;
}

function profileOf(lead: number): string {
	return `${drawn(lead, 'first').slug}-${drawn(lead, 'last').slug}-${lead}`;
}

/** Returns the country of a lead. Leads in Iceland are distributed evenly, the others at random. */
function countryOf(lead: number) {
	const icelandersBefore = floor((lead * ICELAND_LEADS) / DEFAULT_LEADS);
	const isIcelander = floor(((lead + 1) * ICELAND_LEADS) / DEFAULT_LEADS) > icelandersBefore;
	return isIcelander ? ICELAND : drawn(lead, 'country');
}

let seed = SEED;
const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;

/** Returns a copy of leads in which each group of `size` consecutive leads has a random order. */
export function shuffledTies(leads: Uint32Array, size: number): Uint32Array {
	const shuffled = leads.slice();
	for (let start = 0; start < shuffled.length; start += size)
		for (let at = Math.min(shuffled.length, start + size) - 1; at > start; at--) {
			const other = start + Math.floor(random() * (at - start + 1));
			[shuffled[at], shuffled[other]] = [shuffled[other] ?? 0, shuffled[at] ?? 0];
		}
	return shuffled;
}
