import { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching } from '../../sandbox/service';
import type { LeadRecord } from '../../sandbox/service';
import { leadOfUrl } from '../../sandbox/service/leads';

const all = Array.from({ length: DEFAULT_LEADS }, (_, lead) => leadAt(lead));

test('the leads are the same on every machine', () => {
	expect(all[1]).toEqual({
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
	expect(all.at(-1)?.linkedin_url).toBe('https://www.linkedin.com/in/romaine-hills-119999');
});

test('each has a profile URL of its own, which leads back to it in any spelling', () => {
	expect(all.findIndex(({ linkedin_url }, lead) => leadOfUrl(linkedin_url) !== lead)).toBe(-1);
	const url = leadAt(1).linkedin_url;
	const spellings = [
		...[url.toUpperCase().replace('HTTPS://', 'http://'), url.replace('https://www.', '')],
		...[url.replace('www', 'de'), `${url}/?trk=abc#top`, `${url}/details/experience/`],
		decodeURIComponent(url),
	];
	const others = [url.replace(/-\d+$/, ''), url.replace('von', 'van'), '%E0%A4%A', ''];
	others.push(url.replace('linkedin', 'linkedout'));
	expect(spellings.map(leadOfUrl)).toEqual(spellings.map(() => 1));
	expect(others.map(leadOfUrl)).toEqual(others.map(() => undefined));
});

const inCountry = (...names: string[]) => ({ person_location_country: names });
type Found = (lead: LeadRecord) => boolean;
test.each<[string, Parameters<typeof matching>[0], Found]>([
	['an empty or unknown filter lets all pass', { ...{ size: ['1'] }, job_titles: [] }, () => true],
	['nobody is in a country that is none', inCountry('Atlantis'), () => false],
	['case does not matter', inCountry('ICELAND '), ({ country }) => country === 'Iceland'],
	[
		'one term of each filter must fit',
		{ job_titles: ['ENGINEER', 'founder'], ...inCountry('Germany', 'Spain') },
		({ job_title, country }) =>
			/\b(?:engineer|founder)\b/i.test(job_title) && /^(Germany|Spain)$/.test(country),
	],
	['cxo are chiefs', { job_title_seniority: ['cxo'] }, (one) => one.job_title.startsWith('Chief')],
])('filters: %s', (_, filters, isFound) => {
	const found = all.flatMap((lead, number) => (isFound(lead) ? number : []));
	expect([...matching(filters)].join()).toBe(found.join());
});

test('2,350 are in Iceland; those with a work email are verified or likely', () => {
	expect(matching(inCountry('Iceland'))).toHaveLength(ICELAND_LEADS);
	expect(ICELAND_LEADS).toBe(2_350);
	const found = (['verified', 'likely'] as const).map((email_status) => matching({ email_status }));
	const withEmail = all.flatMap(({ work_email }, number) => (work_email === null ? [] : number));
	const either = found.flatMap((leads) => [...leads]).sort((one, other) => one - other);
	expect(either.join()).toBe(withEmail.join());
});
