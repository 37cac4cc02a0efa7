import { leadAt } from '../../sandbox/service';
import { leadOfUrl } from '../../sandbox/service/leads';

test('a lead is the same on every machine', () => {
	expect(leadAt(1)).toMatchObject({
		...{ full_name: 'Małgorzata Von', job_title: 'Chief Executive Officer', company: 'Sawayn Inc' },
		...{ work_email: 'malgorzata.von@sawayn-inc.example', country: 'United States' },
		linkedin_url: 'https://www.linkedin.com/in/ma%C5%82gorzata-von-1',
	});
});

test('a profile URL leads back to its lead in any spelling, and no other one does', () => {
	const url = leadAt(1).linkedin_url;
	const spellings = [
		url.toUpperCase().replace('HTTPS://WWW', 'http://de'),
		decodeURIComponent(url),
	];
	spellings.push(`${url}/?trk=abc#top`, `${url}/details/experience/`);
	expect(spellings.map(leadOfUrl)).toEqual(spellings.map(() => 1));
	const others = [url.replace(/-\d+$/, ''), url.replace('von', 'van'), '%E0%A4%A', ''];
	expect(others.map(leadOfUrl)).toEqual(others.map(() => undefined));
});
