/** Answers that no honest service gives: a clear message, no crash, no endless loop, nothing lost. */
import { continues, first, merge, useService, type Fault } from './useService';

const { customer } = useService();

/** Two good pages of 50, then this; what came after them, and what it says. */
async function afterTwoPages(fault: Fault, ...more: Fault[]) {
	const faults = [{ ...fault, page: 3, perPage: 50 }, ...more];
	const { search, requests } = customer({ faults });
	const options = { pageSize: 50, parallelPages: 1, maxRetries: 0 };
	const { json, urls, errors } = await search({ returnAll: true, options }, continues);
	expect(urls.slice(0, 100)).toEqual(first(100));
	return { leads: json.slice(100, -1), error: errors[0]?.error, requests };
}

const unexpected = 'The lead service sent an unexpected answer: ';
const known = first(50).map((linkedin_url) => ({ linkedin_url }));

test.each<[string, number, Record<string, unknown>]>([
	['it named page 3 as the one after page 3', 50, { next_page: 3 }],
	['it named page 6 as the one after page 3', 50, { next_page: 6 }],
	['it answered with page 2 where page 3 was asked for', 50, { page: 2 }],
	['it sent a page of 60 rows where 50 were asked for', 50, { per_page: 60 }],
	['page 3 holds leads that had come before', 50, { preview_data: known }],
	[
		'page 3 held 1 of 50 rows and said that more follow',
		1,
		{ preview_data: [{ linkedin_url: 'a' }] },
	],
])('%s: that ends the run; what was charged comes out', async (message, count, fields) => {
	const { leads, error, requests } = await afterTwoPages(merge(fields));
	expect(error).toBe(unexpected + message);
	expect(leads).toHaveLength(count);
	expect(requests().filter(({ rows }) => rows > 0)).toHaveLength(3);
});

test('an empty page that says that more follow is asked once more, as one lead', async () => {
	const nothing = merge({ preview_data: [], count: 0 });
	const { leads, error } = await afterTwoPages(nothing, { ...nothing, page: 101 });
	expect(leads).toEqual([]);
	expect(error).toBe(`${unexpected}it said that more leads follow row 100, and sent none`);
});

test('in fields that the node does not use, anything may stand', async () => {
	const fields = ['count', 'total_count', 'total_pages', 'max_results', 'search_id', 'message'];
	const nonsense = Object.fromEntries(fields.map((field) => [field, { not: 'this' }]));
	const { urls } = await customer({ faults: [merge(nonsense)] }).search({ limit: 5 });
	expect(urls).toEqual(first(5));
});

test('a profile whose URL is none is handed on as it is', async () => {
	const row = { linkedin_url: 5, has_email: 'yes' };
	const { lookUp } = customer({ faults: [merge({ data: [row] })] });
	const parameters = { linkedinUrls: 'linkedin.com/in/a\nlinkedin.com/in/b', simplify: false };
	expect((await lookUp(parameters, continues)).json).toEqual([row]);
});

test('a 402 whose body never ends is a 402 all the same', async () => {
	const { search } = customer({ faults: [{ kind: 'endless', status: 402 }] });
	expect(await search({ limit: 1, options: { timeout: 1 } })).toMatchObject({
		message: 'Not enough API credits (402): no leads fetched',
		pages: [1],
	});
});
