/** What people read where the service answers in a way of its own: what was charged, and the parameter that helps. */
import { continues, first, matching, useService } from './useService';

const { customer } = useService();

test('a page size that is refused is told, with what helps', async () => {
	const { search } = customer({ readings: { pageSize: 25, tooLarge: 422 } });
	const { urls, warnings } = await search({ limit: 60 });
	expect(urls).toEqual(first(60));
	expect(warnings).toEqual([
		"The service takes no pages of 60 leads, so 25 were asked for at once. Set 'Page Size' to the most that it takes.",
	]);
});

test('a page that is cut after Skip is paid for once, and told', async () => {
	const { search } = customer({ readings: { pageSize: 100 } });
	const result = await search({ limit: 500, options: { skip: 1_000 } });
	expect(result).toMatchObject({ urls: first(1_500).slice(1_000), spent: 600 });
	expect(result.warnings).toEqual([
		"The service serves pages of 100 leads at most, which showed only once a larger one was charged. To save that, set 'Page Size' to 100.",
	]);
});

test('the last page once more is told, with what helps, and what that costs', async () => {
	const readings = { afterLast: 'lastPage', hasMore: 'fullPage' } as const;
	const { search } = customer({ readings, leads: 30 });
	const options = { pageSize: 15, parallelPages: 1 };
	const { urls, spent, warnings } = await search({ returnAll: true, options });
	expect([urls, spent]).toEqual([first(30), 46]);
	expect(warnings[0]).toMatch(
		/With 'Parallel Pages' at 1, and in a poll, that is one page and one lead at most\.$/,
	);
});

test('an empty page that says that more follow is no 402', async () => {
	const { search } = customer({ apiCredits: 0, deviation: { emptyAtZero: 'more' } });
	const { errors } = await search({ limit: 60 }, continues);
	expect(errors).toMatchObject([
		{
			error: matching(/: it sent no leads after row 0 and said that more follow$/),
			message: matching(/^Nothing was charged\. Credits may have run out: check the balance\./),
		},
	]);
});
