import type { EmailFilter, Filters } from '../contract/types';
import type { Country } from './places';
import type { JobTitle } from './titles';

/** What filters look at in a lead. */
export interface MatchableTraits {
	job: JobTitle;
	country: Country;
	/** How sure the service is of the work email; leads show only whether there is one. */
	emailQuality: Exclude<EmailFilter, 'all'> | 'none';
}

/** A test for leads, and a key that is the same for filters that mean the same. */
export interface Matcher {
	key: string;
	fits: (traits: MatchableTraits) => boolean;
}

function terms(list: string[] | undefined): string[] {
	return [...new Set((list ?? []).map((term) => term.trim().toLowerCase()))]
		.filter(Boolean)
		.sort();
}

/** The verdict on a pool's entry is the same for every lead that has it: ask once per entry. */
function remembered<T extends object>(verdict: (entry: T) => boolean): (entry: T) => boolean {
	const verdicts = new Map<T, boolean>();
	return (entry) => {
		const known = verdicts.get(entry);
		if (known !== undefined) return known;
		const answer = verdict(entry);
		verdicts.set(entry, answer);
		return answer;
	};
}

/**
 * Turns filters into a test. Between fields all must fit, within a field any term suffices, and a
 * field without terms lets everybody pass. Titles fit when they contain the term, seniorities and
 * countries when they equal it, all without regard to case (the contract shows no more than names).
 */
export function matcher(filters: Filters): Matcher {
	const titles = terms(filters.job_titles);
	const seniorities = terms(filters.job_title_seniority);
	const countries = terms(filters.person_location_country);
	const emailStatus = filters.email_status ?? 'all';

	const jobFits = remembered<JobTitle>(
		({ title, seniority }) =>
			(titles.length === 0 || titles.some((term) => title.toLowerCase().includes(term))) &&
			(seniorities.length === 0 || seniorities.includes(seniority)),
	);
	const countryFits = remembered<Country>(
		({ name }) => countries.length === 0 || countries.includes(name.toLowerCase()),
	);
	return {
		key: JSON.stringify([titles, seniorities, countries, emailStatus]),
		fits: ({ job, country, emailQuality }) =>
			jobFits(job) &&
			countryFits(country) &&
			(emailStatus === 'all' || emailStatus === emailQuality),
	};
}
