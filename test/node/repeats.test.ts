/** Tests leads that come twice, above all in lists whose order isn't stable: leads that tie change places. */
import { createTrigger } from './pollCore';
import { createExecutionIds, production, useService } from './useService';

const shared = useService();
const everywhere = { filters: { personLocationCountry: 'United States' } };

test.each([
	[5_000, 100, { returnAll: true, options: { pageSize: 25 } }],
	[5_000, 300, { returnAll: true }],
	[2_000, 700, { returnAll: true, options: { pageSize: 100 } }],
	[1_000, 60, { limit: 1_000, options: { pageSize: 100 } }],
	[500, 30, { limit: 500, options: { parallelPages: 1 } }],
	[300, 300, { limit: 300, options: { pageSize: 10 } }],
])(
	'each of %i leads that tie in groups of %i is returned once, and each run that uses them says how many came twice',
	async (leads, ties, parameters) => {
		const { search, spent, account } = shared.node({ leads, ties });
		const first = await search({ ...everywhere, ...parameters }, production);
		const { size: different } = new Set(account.chargedLeads);
		expect(first.error).toBeUndefined();
		expect([first.urls.length, new Set(first.urls).size]).toEqual([different, different]);
		expect(spent()).toBe(leads);
		const twice = `${(leads - different).toLocaleString('en')} leads were sent and charged twice`;
		expect(different).toBeLessThan(leads);
		expect(first.warnings[0]).toBe(
			`${twice}. The list changed while it was read, or the service's order isn't stable, so as many others may be missing.`,
		);
		const again = await search({ ...everywhere, ...parameters }, production);
		expect([again.urls, spent()]).toEqual([first.urls, leads]);
		expect(again.warnings[0]).toContain(`${twice} when they were bought, and are returned once.`);
	},
);

test('each input item returns the leads of its own rows, even if another item has them, too', async () => {
	const { search, addFault } = shared.node({ leads: 40 });
	const again = { linkedin_url: 'https://www.linkedin.com/in/anna', full_name: 'Anna' };
	for (const page of [1, 2])
		addFault({ kind: 'merge', merge: { preview_data: [again] }, page, perPage: 1 });
	const parameters = { limit: 1, options: { skip: '={{ $json.skip }}', pageSize: 1 } };
	const input = [{ skip: 0 }, { skip: 1 }];
	const { urls, pairs, warnings } = await search(parameters, { ...production, input });
	expect([urls, pairs]).toEqual([Array(2).fill(again.linkedin_url), [0, 1]]);
	expect(warnings.join()).not.toContain('twice');
});

test('leads of one profile that differ are all returned', async () => {
	const { search, addFault } = shared.node();
	const rows = ['CEO', 'CTO', 'CEO'].map((job_title) => ({
		linkedin_url: 'https://www.linkedin.com/in/anna',
		job_title,
	}));
	addFault({ kind: 'merge', merge: { preview_data: rows } });
	const { json, warnings } = await search({ limit: 3 }, production);
	expect(json.map(({ job_title }) => job_title)).toEqual(['CEO', 'CTO']);
	expect(warnings[0]).toMatch(/^1 lead was sent and charged twice\./);
});

test('leads that differ only in the field raw are returned once', async () => {
	const { search, addFault } = shared.node();
	const rows = [1, 2].map((raw) => ({
		linkedin_url: 'https://www.linkedin.com/in/anna',
		raw: { raw },
	}));
	addFault({ kind: 'merge', merge: { preview_data: rows } });
	const parameters = { limit: 2, simplify: false, options: { includeRaw: true } };
	expect((await search(parameters, production)).json).toEqual([rows[0]]);
});

test('leads without a LinkedIn URL are never repeats', async () => {
	const { search, addFault } = shared.node();
	const rows = Array(30).fill({ full_name: 'Anna', linkedin_url: null }) as object[];
	addFault({ kind: 'merge', merge: { preview_data: rows } });
	const { json, error } = await search({ limit: 30, options: { pageSize: 30 } }, production);
	expect([json.length, error]).toEqual([30, undefined]);
});

test('a service that ignores the page number ends the run after 25 leads that came before, even if it changes their values', async () => {
	const { search, addFault, spent } = shared.node();
	let request = 0;
	const profiles = Array.from({ length: 25 }, (_, n) => `https://www.linkedin.com/in/p-${n}`);
	for (const page of [1, 2, 3, 4]) {
		request += 1;
		const preview_data = profiles.map((linkedin_url) => ({ linkedin_url, seen: request }));
		addFault({ kind: 'merge', merge: { preview_data }, page });
	}
	const options = { pageSize: 25, parallelPages: 1 };
	const { message } = await search({ limit: 100, options }, production);
	expect(message).toContain('page 2 contains only leads that were already received');
	expect(spent()).toBe(50);
});

test('rounds of a loop by Skip do not see what came twice between them', async () => {
	const { search } = shared.node({ leads: 60, ties: 60 });
	const loop = { ...production, ...createExecutionIds() };
	const urls: unknown[] = [];
	for (const skip of [0, 20, 40]) {
		const round = await search({ limit: 20, options: { skip } }, loop);
		expect(round.warnings.join()).not.toContain('twice');
		urls.push(...round.urls);
	}
	expect(urls).toHaveLength(60);
	expect(new Set(urls).size).toBeLessThan(60);
});

describe('Polls of a list that ties', () => {
	test('a poll delivers no lead again that it has delivered, and its usage says how many came before', async () => {
		const options = { includeUsage: true };
		const setup = { leads: 200, ties: 200 };
		const trigger = await createTrigger(shared, { leadsPerPoll: 20, options }, setup);
		const urls: unknown[] = [];
		let deliveredBefore = 0;
		for (let poll = 0; poll < 10; poll++) {
			const leads = await trigger.workflow.poll();
			urls.push(...leads.map(({ json }) => json.linkedin_url));
			const usage = leads[0]?.json.usage as { deliveredBefore: number } | undefined;
			deliveredBefore += usage?.deliveredBefore ?? 0;
		}
		expect(new Set(urls).size).toBe(urls.length);
		expect(trigger.spent()).toBe(200);
		expect(urls.length).toBe(new Set(trigger.account.chargedLeads).size);
		expect(urls.length + deliveredBefore).toBe(200);
		expect(trigger.workflow.warnings.join()).toContain('delivered before');
	});
});
