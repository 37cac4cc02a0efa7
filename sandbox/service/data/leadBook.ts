import type { Filters, LeadRecord, Presence } from '../contract/types';
import { matcher } from './filters';
import { pick } from './hash';
import { Population } from './population';
import { profileId } from './profileId';
import { leadOfProfileUrl, profileUrl } from './profileUrl';

/** Leads when nobody asks for another number. */
export const DEFAULT_LEADS = 120_000;
/** Seed when nobody asks for another one. */
export const DEFAULT_SEED = 20_240_229;

/** In the reserved top-level domain `example`, so that no address is anybody's. */
const MAIL_HOSTS = ['mail.example', 'inbox.example', 'post.example'];
/** Filters whose matches are kept: at most 480 KB each. */
const KEPT_FILTERS = 32;

function presence(known: boolean): Presence {
	return known ? 'found' : 'not_found';
}

/**
 * All the leads of the service, by number from 0. None is stored: a lead is computed whenever it is
 * asked for.
 */
export class LeadBook {
	private readonly people: Population;
	private readonly matches = new Map<string, Uint32Array>();

	/** @throws RangeError when `size` isn't an integer from 0 to 36^5 */
	constructor(
		readonly size: number = DEFAULT_LEADS,
		seed: number = DEFAULT_SEED,
	) {
		if (!Number.isInteger(size) || size < 0 || size > 36 ** 5)
			throw new RangeError('The number of leads is an integer from 0 to 36^5');
		this.people = new Population(seed);
	}

	/** Whether the lead has any email address, work or personal. */
	hasEmail(lead: number): boolean {
		return this.people.emailQuality(lead) !== 'none' || this.people.personalEmails(lead) > 0;
	}

	/**
	 * The lead record with every contact detail and without `raw` (contract: "Lead record").
	 * @throws RangeError when there is no such lead
	 */
	leadAt(lead: number): LeadRecord {
		if (!Number.isInteger(lead) || lead < 0 || lead >= this.size)
			throw new RangeError(`There is no lead ${lead}: leads are 0 to ${this.size - 1}`);
		const { people } = this;
		const { first, last } = people.name(lead);
		const country = people.country(lead);
		const company = people.company(lead);
		const [city, state] = people.city(lead);
		const digits = people.roll(lead, 'digits');
		const socials = people.roll(lead, 'socials');
		const hasWorkEmail = people.emailQuality(lead) !== 'none';
		const hasPhone = people.hasPhone(lead);
		const mailbox = `${first.ascii}.${last.ascii}`;
		const personal: string[] = [];
		for (let n = people.personalEmails(lead); n > 0; n--)
			personal.push(`${mailbox}${(digits % 89) + n}@${pick(MAIL_HOSTS, n)}`);
		return {
			first_name: first.text,
			last_name: last.text,
			full_name: `${first.text} ${last.text}`,
			email_status: presence(hasWorkEmail),
			phone_status: presence(hasPhone),
			job_title: people.job(lead).title,
			company: company.name,
			city,
			state,
			country: country.name,
			work_email: hasWorkEmail ? `${mailbox}@${company.domain}` : null,
			personal_emails: personal,
			mobile_phone: hasPhone
				? `${country.dialling}555${(digits % 9_000_000) + 1_000_000}`
				: null,
			linkedin_url: profileUrl(people, lead),
			linkedin_status: 'found',
			facebook_status: presence(socials % 3 === 0),
			twitter_status: presence(socials % 5 < 2),
		};
	}

	/** A lead's `raw` object; the contract shows none of its contents. */
	rawAt(lead: number): Record<string, unknown> {
		const { people } = this;
		const { title, seniority, department } = people.job(lead);
		const company = people.company(lead);
		const [city, region] = people.city(lead);
		return {
			id: `person_${profileId(lead)}`,
			headline: `${title} at ${company.name}`,
			seniority,
			departments: [department],
			location: { city, region, country: people.country(lead).name },
			organization: {
				name: company.name,
				website_url: `https://www.${company.domain}`,
				industry: company.industry,
				estimated_num_employees: company.employees,
				founded_year: company.founded,
			},
			employment_history: [
				{
					title,
					organization_name: company.name,
					start_year: 2008 + (people.roll(lead, 'started') % 16),
					current: true,
				},
			],
		};
	}

	/**
	 * The numbers of the leads that fit the filters, in the order the service serves them. The
	 * array is shared between callers: read it only.
	 */
	matching(filters: Filters = {}): Uint32Array {
		const { key, fits } = matcher(filters);
		const kept = this.matches.get(key);
		if (kept !== undefined) return kept;
		const numbers = new Uint32Array(this.size);
		let found = 0;
		for (let lead = 0; lead < this.size; lead++) {
			const traits = {
				job: this.people.job(lead),
				country: this.people.country(lead),
				emailQuality: this.people.emailQuality(lead),
			};
			if (fits(traits)) numbers[found++] = lead;
		}
		const matches = numbers.slice(0, found);
		const [oldest] = this.matches.keys();
		if (this.matches.size >= KEPT_FILTERS && oldest !== undefined) this.matches.delete(oldest);
		this.matches.set(key, matches);
		return matches;
	}

	/** The lead whom a LinkedIn profile URL belongs to; undefined when it is nobody's here. */
	leadOfUrl(url: string): number | undefined {
		const lead = leadOfProfileUrl(this.people, url);
		return lead !== undefined && lead < this.size ? lead : undefined;
	}
}
