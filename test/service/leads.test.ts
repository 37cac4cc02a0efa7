/** Tests the leads of the mock service. */
import { leadAt } from '../../sandbox/service';

test('a lead has the same fields on every machine', () => {
	expect(leadAt(1)).toMatchObject({
		full_name: 'Małgorzata Von',
		job_title: 'Chief Executive Officer',
		company: 'Sawayn Inc',
		work_email: 'malgorzata.von@sawayn-inc.example',
		country: 'United States',
		linkedin_url: 'https://www.linkedin.com/in/ma%C5%82gorzata-von-1',
	});
});
