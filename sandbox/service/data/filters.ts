import type { Filters } from '../contract/schemas';
import type { Country, Job } from './lists';

/** How sure the service is of a work email; leads show only whether there is one. */
export type EmailQuality = 'verified' | 'likely' | 'none';

/** A test for leads, and a key that is the same for filters that mean the same. */
export interface Matcher {
	key: string;
	fits: (job: Job, country: Country, emailQuality: EmailQuality) => boolean;
}

function terms(list: string[] | undefined): string[] {
	const normal = (list ?? []).map((term) => term.trim().toLowerCase());
	return [...new Set(normal)].filter(Boolean).sort();
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
	// Worked out once per title, not once per lead.
	const fitting = new Map<string, boolean>();
	const titleFits = (title: string) => {
		const known = fitting.get(title);
		if (known !== undefined) return known;
		const fits = titles.some((term) => title.toLowerCase().includes(term));
		fitting.set(title, fits);
		return fits;
	};
	return {
		key: JSON.stringify([titles, seniorities, countries, emailStatus]),
		fits: ({ title, seniority }, { name }, emailQuality) =>
			(titles.length === 0 || titleFits(title)) &&
			(seniorities.length === 0 || seniorities.includes(seniority)) &&
			(countries.length === 0 || countries.includes(name.toLowerCase())) &&
			(emailStatus === 'all' || emailStatus === emailQuality),
	};
}
