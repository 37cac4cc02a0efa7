import { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching } from '../../sandbox/service';
import { leadOfUrl } from '../../sandbox/service/leads';

const all = Array.from({ length: DEFAULT_LEADS }, (_, lead) => lead);

test('the leads are the same on every machine', () => {
	expect(leadAt(1)).toEqual({
		...{ first_name: 'Małgorzata', last_name: 'Von', full_name: 'Małgorzata Von' },
		...{ email_status: 'found', phone_status: 'found', linkedin_status: 'found' },
		...{ facebook_status: 'not_found', twitter_status: 'found' },
		...{ job_title: 'Chief Executive Officer', company: 'Sawayn Inc' },
		...{ city: 'Austin', state: 'Texas', country: 'United States' },
		work_email: 'malgorzata.von@sawayn-inc.example',
		personal_emails: ['malgorzata.von.1@mail.example'],
		mobile_phone: '+15551000001',
		linkedin_url: 'https://www.linkedin.com/in/ma%C5%82gorzata-von-1',
	});
	const last = 'https://www.linkedin.com/in/romaine-hills-119999';
	expect(leadAt(DEFAULT_LEADS - 1).linkedin_url).toBe(last);
	for (const lead of [DEFAULT_LEADS, -1]) expect(() => leadAt(lead)).toThrow(RangeError);
});

test('all have profile URLs of their own, which lead back to them', () => {
	for (const lead of all) {
		const url = leadAt(lead).linkedin_url;
		if (leadOfUrl(url) !== lead) throw new Error(`${url} isn't lead ${lead}`);
	}
});

test('a profile is known by any spelling of its URL, and nobody else', () => {
	const url = leadAt(1).linkedin_url;
	const spellings = [
		url.toUpperCase().replace('HTTPS://', 'http://'),
		url.replace('https://www.', ''),
		url.replace('www', 'de'),
		`${url}/?trk=abc#top`,
		`${url}/details/experience/`,
		decodeURIComponent(url),
	];
	const others = [url.replace(/-\d+$/, ''), url.replace('von', 'van'), '%E0%A4%A', ''];
	others.push(url.replace('linkedin', 'linkedout'));
	expect(spellings.map(leadOfUrl)).toEqual(spellings.map(() => 1));
	expect(others.map(leadOfUrl)).toEqual(others.map(() => undefined));
});

test('leads come with and without work email, phone and personal emails, and say so', () => {
	const sample = all.slice(0, 1_000).map(leadAt);
	for (const lead of sample) {
		expect(lead.email_status === 'found').toBe(lead.work_email !== null);
		expect(lead.phone_status === 'found').toBe(lead.mobile_phone !== null);
	}
	const share = (fits: (lead: (typeof sample)[number]) => boolean) =>
		sample.filter(fits).length / sample.length;
	expect(share((lead) => lead.work_email === null)).toBeCloseTo(0.2, 1);
	expect(share((lead) => lead.mobile_phone === null)).toBeCloseTo(0.6, 1);
	for (const count of [0, 1, 2])
		expect(share((lead) => lead.personal_emails.length === count)).toBeGreaterThan(0.05);
	expect(share((lead) => lead.linkedin_url.includes('%'))).toBeGreaterThan(0);
});

describe('filters', () => {
	test('find exactly 2,350 leads in Iceland, however it is written', () => {
		expect(ICELAND_LEADS).toBe(2_350);
		for (const country of ['iceland', 'ICELAND '])
			expect(matching({ person_location_country: [country] })).toHaveLength(ICELAND_LEADS);
	});

	test('take any term within a field and all fields together', () => {
		const countries = ['Germany', 'Spain'];
		const job_titles = ['ENGINEER', 'founder'];
		const found = matching({ job_titles, person_location_country: countries });
		const expected = all.filter((lead) => {
			const { job_title, country } = leadAt(lead);
			return /engineer|founder/i.test(job_title) && countries.includes(country);
		});
		expect(expected.length).toBeGreaterThan(1_000);
		expect([...found]).toEqual(expected);
	});

	test('know seniorities', () => {
		for (const lead of matching({ job_title_seniority: ['cxo'] }).subarray(0, 200))
			expect(leadAt(lead).job_title).toMatch(/^Chief/);
		const levels = ['owner', 'cxo', 'vp', 'director', 'manager', 'senior', 'entry'];
		const counts = levels.map((level) => matching({ job_title_seniority: [level] }).length);
		expect(counts).not.toContain(0);
		expect(counts.reduce((sum, count) => sum + count)).toBe(DEFAULT_LEADS);
	});

	test('split the leads with a work email into verified and likely ones', () => {
		const verified = [...matching({ email_status: 'verified' })];
		const likely = [...matching({ email_status: 'likely' })];
		const withEmail = all.filter((lead) => leadAt(lead).work_email !== null);
		expect([...verified, ...likely].sort((a, b) => a - b)).toEqual(withEmail);
		expect(verified.length).toBeGreaterThan(likely.length);
	});

	test('that are empty or unknown let everybody pass, and those that fit nobody nobody', () => {
		const withUnknown = { company_size: ['11-50'], job_titles: [] };
		expect(matching(withUnknown)).toHaveLength(DEFAULT_LEADS);
		expect(matching({ person_location_country: ['Atlantis'] })).toHaveLength(0);
	});
});
