import type { Filters } from '../contract/schemas';
import { JOBS, type Country, type Job } from './lists';

/** How sure the service is of a work email; leads show only whether there is one. */
export type EmailQuality = 'verified' | 'likely' | 'none';

function terms(list: string[] | undefined): string[] {
	const normal = (list ?? []).map((term) => term.trim().toLowerCase());
	return [...new Set(normal)].filter(Boolean).sort();
}

/**
 * Turns filters into a test for leads, and a key that is the same for filters that mean the same.
 * Between fields all must fit, within a field any term suffices, and a field without terms lets
 * everybody pass. Titles fit when they contain the term, seniorities and countries when they equal
 * it, all without regard to case (the contract shows no more than names).
 */
export function matcher(filters: Filters) {
	const titles = terms(filters.job_titles);
	const seniorities = terms(filters.job_title_seniority);
	const countries = terms(filters.person_location_country);
	const emailStatus = filters.email_status ?? 'all';
	// Worked out once per job, not once per lead.
	const jobs = JOBS.filter(
		({ title, seniority }) =>
			(titles.length === 0 || titles.some((term) => title.toLowerCase().includes(term))) &&
			(seniorities.length === 0 || seniorities.includes(seniority)),
	);
	return {
		key: JSON.stringify([titles, seniorities, countries, emailStatus]),
		fits: (job: Job, { name }: Country, emailQuality: EmailQuality) =>
			jobs.includes(job) &&
			(countries.length === 0 || countries.includes(name.toLowerCase())) &&
			(emailStatus === 'all' || emailStatus === emailQuality),
	};
}
