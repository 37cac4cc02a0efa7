import { companyPool, type Company } from './companies';
import type { MatchableTraits } from './filters';
import { hash, pick } from './hash';
import { namePools, type Name } from './names';
import { COUNTRIES, ICELAND, ICELAND_LEADS, type Country } from './places';
import { JOB_TITLES, type JobTitle } from './titles';

/** Leads after which the spread of Icelanders repeats. */
const BLOCK = 120_000;

/** Country by hundredth of the leads outside Iceland. */
const COUNTRY_BY_SHARE = COUNTRIES.flatMap((country) =>
	Array.from({ length: country.share }, () => country),
);

/** One purpose per independent draw, so that a lead's traits don't hang together by accident. */
const PURPOSES = {
	country: 1,
	job: 2,
	emailQuality: 3,
	personalEmails: 4,
	firstName: 5,
	lastName: 6,
	slug: 7,
	city: 8,
	digits: 9,
	phone: 10,
	socials: 11,
	company: 12,
	started: 13,
} as const;

/** Who the leads are: each trait of a lead is computed from its number and the seed. */
export class Population {
	private readonly names;
	private readonly companies: readonly Company[];

	constructor(private readonly seed: number) {
		this.names = namePools(seed);
		this.companies = companyPool(seed);
	}

	/** A number from 0 to 2^32 - 1, the same for the same lead and purpose. */
	roll(lead: number, purpose: keyof typeof PURPOSES): number {
		return hash(lead, this.seed + PURPOSES[purpose] * 7919);
	}

	/** Where the lead lives: 2,350 of every 120,000 leads in Iceland. */
	country(lead: number): Country {
		// 48,271 is prime and so shares no factor with the block: every place in it is taken once,
		// and the Icelanders' places are spread over it.
		const place = ((lead % BLOCK) * 48_271 + this.seed) % BLOCK;
		return place < ICELAND_LEADS ? ICELAND : pick(COUNTRY_BY_SHARE, this.roll(lead, 'country'));
	}

	/** A pair of city and state in the lead's country. */
	city(lead: number): readonly [city: string, state: string] {
		return pick(this.country(lead).cities, this.roll(lead, 'city'));
	}

	/** What the lead does. */
	job(lead: number): JobTitle {
		return pick(JOB_TITLES, this.roll(lead, 'job'));
	}

	/** Whom the lead works for. */
	company(lead: number): Company {
		return pick(this.companies, this.roll(lead, 'company'));
	}

	/** How sure the service is of the work email: 55% verified, 25% likely, 20% without any. */
	emailQuality(lead: number): MatchableTraits['emailQuality'] {
		const share = this.roll(lead, 'emailQuality') % 100;
		if (share < 55) return 'verified';
		return share < 80 ? 'likely' : 'none';
	}

	/** Number of personal email addresses: 0 for 55%, 1 for 33%, 2 for 12%. */
	personalEmails(lead: number): number {
		const share = this.roll(lead, 'personalEmails') % 100;
		if (share < 55) return 0;
		return share < 88 ? 1 : 2;
	}

	/** Whether a mobile phone is known: for 40%. */
	hasPhone(lead: number): boolean {
		return this.roll(lead, 'phone') % 100 < 40;
	}

	/** The lead's names, in the language of the country. */
	name(lead: number): { first: Name; last: Name } {
		const pool = this.names[this.country(lead).language];
		return {
			first: pick(pool.first, this.roll(lead, 'firstName')),
			last: pick(pool.last, this.roll(lead, 'lastName')),
		};
	}

	/** Whether the profile URL keeps the letters of the name's own language: for one in eight. */
	keepsOwnLetters(lead: number): boolean {
		return this.roll(lead, 'slug') % 8 === 0;
	}
}
