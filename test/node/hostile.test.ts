/** Answers that no honest service gives: a clear message, no crash, no endless loop, nothing lost. */
import type { FaultAction } from '../../sandbox/service';
import { jsonOf, useService, warningsOf } from './useService';

const shared = useService();
const { customer } = shared;
const filters = { personLocationCountry: 'Iceland' };

const continues = { onError: 'continueRegularOutput' } as const;
const paged = {
	returnAll: true,
	filters,
	options: { pageSize: 50, parallelPages: 1, maxRetries: 0 },
};

/** Two good pages, then this; what came out, and what it says. */
async function afterTwoPages(fault: FaultAction) {
	const buyer = customer();
	buyer.addFault({ ...fault, page: 3, perPage: 50 });
	const { items } = await buyer.search(paged, continues);
	const leads = items.filter(({ json }) => json.error === undefined);
	return { leads: jsonOf(leads), failure: items.at(-1)?.json };
}

test('JSON that nests 10,000 levels deep', async () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	const { leads, failure } = await afterTwoPages({
		kind: 'raw',
		body: `{"preview_data": [{"full_name": "A", "job_title": ${deep}}], "page": 3, "per_page": 50}`,
	});
	expect(failure?.error).toBe(
		'The lead service sent an unexpected answer: row 1 of the page is nested more than 100 levels deep',
	);
	expect(leads).toHaveLength(101);
	expect(leads[100]).toMatchObject({ full_name: 'A' });
	expect(() => JSON.stringify(leads)).not.toThrow();
});

test('a lead with __proto__ in it', async () => {
	const buyer = customer();
	buyer.addFault({
		kind: 'raw',
		body: '{"preview_data": [{"full_name": "A", "__proto__": {"admin": true}, "in": {"__proto__": {"admin": true}}}], "has_more": false}',
	});
	const { items } = await buyer.search({ limit: 1, simplify: false });
	expect(JSON.stringify(jsonOf(items))).toBe('[{"full_name":"A","in":{}}]');
	expect(({} as Record<string, unknown>).admin).toBeUndefined();
});

describe('wrong types', () => {
	const WRONG: unknown[] = ['x', -1, 1.5, true, [], {}, 1e308];

	test.each(['page', 'per_page', 'has_more', 'next_page'])('in %s', async (field) => {
		for (const value of WRONG) {
			if (field === 'has_more' && value === true) continue;
			const { leads, failure } = await afterTwoPages({
				kind: 'merge',
				merge: { [field]: value },
			});
			// The page was charged, so its leads are handed on with the message.
			expect(leads).toHaveLength(150);
			expect(failure?.error).toMatch(/^The lead service sent an unexpected answer: /);
		}
	});

	test('in fields that the node does not use', async () => {
		const buyer = customer();
		const merge = Object.fromEntries(
			['count', 'total_count', 'total_pages', 'max_results', 'search_id', 'message'].map(
				(field) => [field, { not: 'this' }],
			),
		);
		buyer.addFault({ kind: 'merge', merge });
		const { items, error } = await buyer.search({ limit: 5, filters });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(5);
	});

	test.each([null, 7, 'leads', { 0: {} }])('in the list of leads: %j', async (rows) => {
		const { leads, failure } = await afterTwoPages({
			kind: 'merge',
			merge: { preview_data: rows },
		});
		expect(leads).toHaveLength(100);
		expect(failure?.error).toBe(
			"This doesn't look like the lead search service; check Base URL; it may have been charged",
		);
	});

	test('in a lead: it is handed on as it is', async () => {
		const { leads, failure } = await afterTwoPages({
			kind: 'merge',
			merge: { preview_data: [7, null, ['a'], { full_name: 5 }] },
		});
		expect(leads.slice(100)).toEqual([
			{ value: 7 },
			{ value: null },
			{ value: ['a'] },
			{ full_name: 5 },
		]);
		expect(failure?.error).toBe(
			'The lead service sent an unexpected answer: row 1 of the page is not an object',
		);
	});

	test('in a row of a lookup', async () => {
		const buyer = customer();
		buyer.addFault({
			kind: 'merge',
			merge: { data: [{ linkedin_url: 5, has_email: 'yes' }] },
		});
		const { items } = await buyer.lookUp(
			{ linkedinUrls: 'linkedin.com/in/a\nlinkedin.com/in/b', simplify: false },
			continues,
		);
		expect(jsonOf(items)).toEqual([{ linkedin_url: 5, has_email: 'yes' }]);
	});
});

test('of more leads than were asked for, those beyond Limit stay away, and a hint says so', async () => {
	const buyer = customer();
	const rows = Array.from({ length: 7 }, (_, id) => ({ full_name: `Lead ${id}` }));
	buyer.addFault({
		kind: 'merge',
		merge: { preview_data: rows },
	});
	const { items, hints } = await buyer.search({ limit: 5, filters });
	expect(items).toHaveLength(5);
	expect(warningsOf(hints)).toEqual([
		'The lead service sent more than was asked for: 2 leads outside Skip and Limit cost 2 credits and are not returned.',
	]);
	expect(buyer.requests()).toHaveLength(1);
});
