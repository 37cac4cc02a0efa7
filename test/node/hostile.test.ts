/** Answers that no honest service gives: a clear message, no crash, no endless loop, nothing lost. */
import type { FaultAction } from '../../sandbox/service';
import {
	continues,
	iceland as filters,
	icelanders,
	jsonOf,
	urlsOf,
	useService,
} from './useService';

const { customer } = useService();

/** Two good pages of 50, then this; what came out, and what it says. */
async function afterTwoPages(fault: FaultAction) {
	const buyer = customer();
	buyer.addFault({ ...fault, page: 3, perPage: 50 });
	const options = { pageSize: 50, parallelPages: 1, maxRetries: 0 };
	const { items } = await buyer.search({ returnAll: true, filters, options }, continues);
	const leads = items.filter(({ json }) => json.error === undefined);
	expect(urlsOf(leads.slice(0, 100))).toEqual(icelanders.slice(0, 100));
	return { leads, error: items.at(-1)?.json.error, buyer };
}

const merge = (fields: Record<string, unknown>): FaultAction => ({ kind: 'merge', merge: fields });
const unexpected = 'The lead service sent an unexpected answer: ';

test.each<[string, FaultAction, string, number]>([
	[
		'a next page that stays',
		merge({ next_page: 3 }),
		'it named page 3 as the one after page 3',
		150,
	],
	['one that jumps', merge({ next_page: 6 }), 'it named page 6 as the one after page 3', 150],
	['another page', merge({ page: 2 }), 'it answered with page 2 where page 3 was asked for', 150],
	[
		'a larger page',
		merge({ per_page: 60 }),
		'it sent a page of 60 rows where 50 were asked for',
		150,
	],
	[
		'leads that had come before',
		merge({ preview_data: icelanders.slice(0, 50).map((linkedin_url) => ({ linkedin_url })) }),
		'page 3 holds leads that had come before',
		150,
	],
	[
		'a short page that says that more follow',
		merge({ preview_data: [{ linkedin_url: 'a' }] }),
		'page 3 held 1 of 50 rows and said that more follow',
		101,
	],
])('%s ends the run; what was charged comes out', async (_, fault, message, count) => {
	const { leads, error, buyer } = await afterTwoPages(fault);
	expect(error).toBe(unexpected + message);
	expect(leads).toHaveLength(count);
	expect(buyer.requests().filter(({ rows }) => rows > 0)).toHaveLength(3);
});

test('an empty page that says that more follow is asked once more, as one lead', async () => {
	const buyer = customer();
	const nothing = merge({ preview_data: [], count: 0 });
	buyer.addFault({ ...nothing, page: 3 });
	buyer.addFault({ ...nothing, page: 101 });
	const options = { pageSize: 50, parallelPages: 1 };
	const { items } = await buyer.search({ returnAll: true, filters, options }, continues);
	expect(items).toHaveLength(101);
	expect(items[100]?.json.error).toBe(
		`${unexpected}it said that more leads follow row 100, and sent none`,
	);
});

test.each(['page', 'per_page', 'has_more', 'next_page', 'success'])(
	'a wrong type in %s ends the run; what was charged comes out',
	async (field) => {
		const wrong = field === 'success' ? [false] : ['x', -1, 1.5, [], {}, 1e308];
		for (const value of wrong) {
			const { leads, error } = await afterTwoPages(merge({ [field]: value }));
			expect(leads).toHaveLength(150);
			expect(error).toMatch(/^The lead service sent an unexpected answer: /);
		}
	},
);

test('in fields that the node does not use, anything may stand', async () => {
	const buyer = customer();
	const fields = ['count', 'total_count', 'total_pages', 'max_results', 'search_id', 'message'];
	buyer.addFault(merge(Object.fromEntries(fields.map((field) => [field, { not: 'this' }]))));
	const { items } = await buyer.search({ limit: 5, filters });
	expect(urlsOf(items)).toEqual(icelanders.slice(0, 5));
});

test.each([null, 7, 'leads', { 0: {} }])('%j is no list of leads', async (rows) => {
	const { leads, error } = await afterTwoPages(merge({ preview_data: rows }));
	expect(leads).toHaveLength(100);
	expect(error).toBe(
		"This doesn't look like the lead search service; check Base URL; it may have been charged",
	);
});

test('what is no lead is handed on as it is', async () => {
	const { leads, error } = await afterTwoPages(
		merge({ preview_data: [7, null, ['a'], { full_name: 5 }] }),
	);
	expect(jsonOf(leads.slice(100))).toEqual([
		{ value: 7 },
		{ value: null },
		{ value: ['a'] },
		{ full_name: 5 },
	]);
	expect(error).toBe(`${unexpected}row 1 of the page is not an object`);
});

test('so is a profile whose URL is none', async () => {
	const buyer = customer();
	const row = { linkedin_url: 5, has_email: 'yes' };
	buyer.addFault(merge({ data: [row] }));
	const parameters = { linkedinUrls: 'linkedin.com/in/a\nlinkedin.com/in/b', simplify: false };
	const { items } = await buyer.lookUp(parameters, continues);
	expect(jsonOf(items)).toEqual([row]);
});

test('JSON that nests 10,000 levels deep is cut', async () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	const { leads, error } = await afterTwoPages({
		kind: 'raw',
		body: `{"preview_data": [{"full_name": "A", "job_title": ${deep}}], "page": 3, "per_page": 50}`,
	});
	expect(error).toBe(`${unexpected}row 1 of the page is nested more than 100 levels deep`);
	expect(leads[100]?.json).toMatchObject({ full_name: 'A' });
	expect(() => JSON.stringify(leads)).not.toThrow();
});

test('a lead with __proto__ in it loses that', async () => {
	const buyer = customer();
	buyer.addFault({
		kind: 'raw',
		body: '{"preview_data": [{"full_name": "A", "__proto__": {"admin": true}, "in": {"__proto__": {"admin": true}}}], "has_more": false}',
	});
	const { items } = await buyer.search({ limit: 1, simplify: false });
	expect(JSON.stringify(jsonOf(items))).toBe('[{"full_name":"A","in":{}}]');
	expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

test('a 402 whose body never ends is a 402 all the same', async () => {
	const buyer = customer();
	buyer.addFault({ kind: 'endless', status: 402 });
	const { error } = await buyer.search({ limit: 1, options: { timeout: 1 } });
	expect(error?.message).toBe('Not enough API credits (402): no leads fetched');
	expect(buyer.requests()).toHaveLength(1);
});
