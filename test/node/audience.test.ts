/** Free previews that say which part of an audience nobody is in. */
import type { FaultAction } from '../../sandbox/service';
import { iceland, merge, production, status, useService } from './useService';

const shared = useService();
const { customer } = shared;

const spelling = 'Check the spelling of the filters.';

/** Filters by the contract's names, of the previews of a single lead that a run asked for, but for none at all. */
async function looksOf(run: () => Promise<unknown>) {
	const { admin } = shared.service;
	const { length: before } = admin.requests();
	await run();
	return admin
		.requests()
		.slice(before)
		.filter(({ path, perPage }) => path === '/api/preview' && perPage === 1)
		.map(({ body }) => {
			const isFilter = ([field]: [string, unknown]) => !field.startsWith('_');
			return Object.fromEntries(Object.entries(body as object).filter(isFilter));
		})
		.filter((filters) => Object.keys(filters).length > 0);
}

describe('Of a search that matches nobody', () => {
	const filters = { personLocationCountry: 'Atlantis', jobTitles: 'Chief' };
	const plain = "No leads match where 'Job Titles' is 'Chief' and 'Person Country' is 'Atlantis'.";
	const withoutCountry = "There are some without 'Person Country'. Check its spelling.";

	test('one preview for each filter, with that one left out, tells which lets somebody in', async () => {
		const looks = await looksOf(async () => {
			const { warnings, spent, pages } = await customer().search({ filters });
			expect(warnings.join(' ')).toContain(`${plain} ${withoutCountry}`);
			expect({ spent, pages }).toEqual({ spent: 0, pages: [1] });
		});
		expect(looks).toEqual([{ person_location_country: ['Atlantis'] }, { job_titles: ['Chief'] }]);
	});

	test.each<[string, object, string[]]>([
		['the only filter', { personLocationCountry: 'Atlantis' }, []],
		[
			'two filters, neither of which helps alone',
			{ personLocationCountry: 'Atlantis', jobTitles: 'Alchemist of Ys' },
			[],
		],
		[
			'a field of Other Filters',
			{ personLocationCountry: 'Iceland', otherFilters: '{"job_titles": ["Alchemist of Ys"]}' },
			["There are some without 'Job Titles'. Check its spelling."],
		],
	])('%s: %j', async (_, filters, told) => {
		const { warnings } = await customer().search({ filters: { ...filters } as never });
		expect(warnings.filter((text) => text.includes('There are some'))).toEqual(told);
	});

	test.each<[string, FaultAction]>([
		['is not answered', status(500)],
		['contradicts itself', merge({ success: false, message: 'no' })],
	])('a preview that %s changes nothing: the hint is the plain one', async (_, fault) => {
		shared.service.admin.addFault({ path: '/api/preview', nthRequest: 2, ...fault });
		const { warnings, message } = await customer().search({ filters });
		expect(message).toBeUndefined();
		expect(warnings.join(' ')).toContain(`${plain} ${spelling}`);
	});

	test.each([
		['usa', 'United States'],
		['England', 'United Kingdom'],
		['DE', 'Germany'],
		['Frankreich', 'France'],
	])('%s has the English name %s', async (country, name) => {
		for (const operation of ['search', 'count', 'preview'] as const) {
			const filters = { personLocationCountry: country, jobTitleSeniority: 'cxo' };
			const { warnings, spent } = await customer()[operation]({ filters });
			expect(warnings.join(' ')).toContain(`'${country}'. '${name}' has leads.`);
			expect(warnings.join(' ')).not.toContain('spelling');
			expect(spent).toBe(0);
		}
	});

	test('a production run asks none, as nobody waits for the answer', async () => {
		const some = { jobTitles: 'Chief', personLocationCountry: 'Iceland, Atlantis' };
		const looks = await looksOf(async () => {
			const { warnings } = await customer().search({ filters }, production);
			expect(warnings.join(' ')).toBe(`${plain} ${spelling}`);
			expect((await customer().search({ filters: some }, production)).warnings).toEqual([]);
		});
		expect(looks).toEqual([]);
	});
});

describe('Of lists of which somebody matches', () => {
	test.each(['search', 'preview'] as const)(
		'%s names values that nobody has, and asks only about those that no row shows',
		async (operation) => {
			const { jobTitles, ...countries } = {
				personLocationCountry: 'USA, Germany, Oesterreich, Holland',
				jobTitles: 'Chief, Alchemist',
			};
			const looks = await looksOf(async () => {
				const { warnings, json } = await customer()[operation]({ filters: countries, limit: 10 });
				expect(json).toHaveLength(10);
				expect(warnings).toEqual([
					"'USA', 'Oesterreich', 'Holland' in 'Person Country' found nobody, though other values there did. 'United States' and 'Netherlands' have leads.",
				]);
			});
			expect(looks.map((look): unknown => look.person_location_country)).toEqual([
				...[['USA'], ['Oesterreich'], ['Holland'], ['United States']],
				...[['Austria'], ['AT'], ['Österreich'], ['Netherlands']],
			]);
			const { warnings } = await customer()[operation]({ filters: { jobTitles, ...iceland } });
			expect(warnings).toEqual([
				"'Alchemist' in 'Job Titles' found nobody, though other values there did. Check the spelling.",
			]);
		},
	);

	test('all that match, and single values, take no word; of long lists ten are looked at', async () => {
		const { count } = customer();
		const countries = ['Iceland', 'Germany'];
		expect(await count({ filters: { personLocationCountry: countries } })).toMatchObject({
			warnings: [],
		});
		const many = [...countries, ...Array.from({ length: 12 }, (_, index) => `Atlantis ${index}`)];
		const looks = await looksOf(async () => {
			const { warnings } = await count({ filters: { personLocationCountry: many } });
			expect(warnings[0]).toMatch(/^'Atlantis 0'.* and 3 more in /);
		});
		expect(looks).toHaveLength(10);
	});
});
