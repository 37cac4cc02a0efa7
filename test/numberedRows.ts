import type { LeadRecord } from '../sandbox/service';
import type { Row } from '../sandbox/service/model';

const PLAIN: LeadRecord = {
	...{ first_name: 'Lead', last_name: '', full_name: '', linkedin_url: '' },
	...{ job_title: 'Founder', company: 'Acme' },
	...{ city: 'Reykjavík', state: 'Capital Region', country: 'Iceland' },
	...{ work_email: 'info@acme.example', personal_emails: [], mobile_phone: null },
	...{ email_status: 'found', phone_status: 'not_found', linkedin_status: 'found' },
	...{ facebook_status: 'not_found', twitter_status: 'not_found' },
};

/** So many leads, numbered from 0, that differ in name and URL alone: made in no time. */
export function numberedRows(count: number): Row[] {
	return Array.from({ length: count }, (_, id) => {
		const linkedin_url = `https://www.linkedin.com/in/lead-${id}`;
		const [last_name, full_name] = [String(id), `Lead ${id}`];
		return { id, record: { ...PLAIN, last_name, full_name, linkedin_url } };
	});
}

export function profilesOf(rows: readonly Row[]): Map<string, Row> {
	return new Map(rows.map((row) => [row.record.linkedin_url, row]));
}
