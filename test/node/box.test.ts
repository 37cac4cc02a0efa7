/** Tests what the box above the output says about the cost, and when it is true. */
import { leadAt } from '../../sandbox/service';
import { first, letMinutesPass, matching, production, useService } from './useService';

const { customer, node } = useService();

/** The rows among the first ones in Iceland that have a phone. */
const withPhone = (rows: number) =>
	first(rows).filter((url) => leadAt(Number(url.split('-').at(-1))).mobile_phone !== null).length;

test('the box counts phones if they were requested, and only then', async () => {
	const { search, lookUpAll } = customer();
	const phones = `; ${withPhone(20)} with a phone`;
	const bought = await search({ limit: 20, options: { includePhones: true } });
	expect(bought.infos[0]).toMatch(new RegExp(`^20 leads for 20 credits; .*${phones}$`));
	expect((await search({ limit: 20 })).infos[0]).not.toContain('phone');
	const lookedUp = await lookUpAll(first(20), {}, { includePhones: true });
	expect(lookedUp.infos[0]).toContain(phones);
	expect((await lookUpAll(first(20))).infos[0]).not.toContain('phone');
});

test('the box names the credential if something was charged, but not to an agent', async () => {
	const { search } = node();
	const credentialName = "Ours <b> 'two'";
	expect((await search({ limit: 2 }, { credentialName })).infos[0]).toMatch(
		/^2 leads for 2 credits with 'Ours &lt;b&gt; 'two''; /,
	);
	expect((await search({ limit: 2 }, { credentialName })).infos[0]).toMatch(
		/^2 leads for 0 credits; /,
	);
	const { json } = await search({ limit: 4 }, { credentialName, asTool: true });
	expect(json.at(-1)?.note).toMatch(/^4 leads for 2 credits; /);
});

test.each([30, 90])(
	'the box says until when reused leads are free with Reuse Paid Results %i, and they are',
	async (minutes) => {
		const { search, spent } = node();
		const parameters = { limit: 5, options: { reusePaidResults: minutes } };
		await search(parameters, production);
		const paidAt = Date.now();
		letMinutesPass(10);
		const { infos } = await search(parameters, production);
		// The time zone of the tests is that of n8n's default.
		const timeZone = 'America/New_York';
		const options = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
		const clock = new Date(paidAt + minutes * 60_000).toLocaleTimeString('en', options);
		expect(infos).toContainEqual(
			matching(
				new RegExp(
					`^All 5 leads were reused for 0 credits\\. They are free until (\\d{4}-\\d\\d-\\d\\d )?${clock}, in this n8n process\\.$`,
				),
			),
		);
		letMinutesPass(minutes - 11);
		await search(parameters, production);
		expect(spent()).toBe(5);
		letMinutesPass(2);
		await search(parameters, production);
		expect(spent()).toBe(10);
	},
);

test('the box promises nothing about leads that only this execution reuses', async () => {
	const { search } = node();
	const execution = { ...production, executionId: 'loop' };
	const parameters = { limit: 5, options: { reusePaidResults: 0 } };
	await search(parameters, execution);
	const { infos, spent } = await search(parameters, execution);
	expect([infos[1], spent]).toEqual(['All 5 leads were reused for 0 credits.', 5]);
});

test.each([
	[
		{ jobTitles: 'CEO', personLocationCountry: 'Nowhere' },
		"'Job Titles' is 'CEO' and 'Person Country' is 'Nowhere'. For a job title, try the full title, such as 'Chief Executive Officer', or 'Job Title Seniority'. For a country, write 'United States', not 'USA'.",
	],
	[
		{
			personLocationCountry: ['Atlantis', 'Mu', 'Thule', 'Hy-Brasil', 'Ys', 'Lyonesse'],
			jobTitles: 'VP, Sales',
		},
		"'Job Titles' is 'VP', 'Sales' and 'Person Country' is 'Atlantis', 'Mu', 'Thule', 'Hy-Brasil', 'Ys' and 1 more. For a job title, try the full title, such as 'Chief Executive Officer', or 'Job Title Seniority'. For a country, write 'United States', not 'USA'.",
	],
	[
		{ jobTitleSeniority: 'boss' },
		"'Job Title Seniority' is 'boss'. For a seniority, the known values are 'owner' and 'cxo'.",
	],
	[
		{ otherFilters: '{"job_titles": ["Nobody"], "company_size": ["9"]}' },
		"'Job Titles' is 'Nobody' and 'company_size' is '9'. For a job title, try the full title, such as 'Chief Executive Officer', or 'Job Title Seniority'. Check the names and values in 'Other Filters'.",
	],
	[
		{ jobTitles: 'Nobody', emailStatus: 'verified' },
		"'Email Status' is 'verified' and 'Job Titles' is 'Nobody'. For more leads, set 'Email Status' to All. For a job title, try the full title, such as 'Chief Executive Officer', or 'Job Title Seniority'.",
	],
])('a search for %j without a match says what to try for each filter', async (filters, advice) => {
	const { warnings, spent } = await customer().search({ filters });
	expect([warnings, spent]).toEqual([[`No leads match where ${advice}`], 0]);
});
