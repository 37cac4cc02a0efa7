import { DEFAULT_LEADS, ICELAND_LEADS, leadAt, matching } from '../../sandbox/service';
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

test('2,350 are in Iceland', () => {
	expect(matching({ person_location_country: ['Iceland'] })).toHaveLength(ICELAND_LEADS);
	expect(ICELAND_LEADS).toBe(2_350);
});
