/** Tests gateways that refuse large responses after the service has charged them: what a run wastes, and what it says. */
import { createTrigger } from './pollCore';
import { continueOnError, first, icelandUrls, production, status, useService } from './useService';

const shared = useService();
const { customer } = shared;

const gateway = (code: number, maxRows = 60) =>
	({ kind: 'gateway', status: code, maxRows, times: 'always' }) as const;

const lostCredits = (code: number) =>
	[500, 502, 503].includes(code)
		? '. The node counts no credits for it, but the service may have charged some.'
		: '; up to 100 credits may have been charged.';

test.each([413, 500, 502, 503, 504])(
	'a search of 2,000 leads behind a gateway that answers %i above 60 rows wastes one page, and a hint names Page Size 25',
	async (code) => {
		const { search } = customer({ faults: [gateway(code)] });
		const result = await search({ limit: 2_000 }, production);
		expect(result).toMatchObject({ urls: first(2_000), spent: 2_100 });
		expect([result.sizes[0], new Set(result.sizes.slice(1))]).toEqual([100, new Set([25])]);
		const lost = `1 response was lost or could not be used${lostCredits(code)}`;
		expect(result.warnings).toEqual([
			`${lost} After such a response, a run requests at most 25 leads at a time. If this happens again, set 'Page Size' under Options to 25.`,
		]);
		expect(result.customData).toBe(`2,000 leads for 2,000 credits. ${lost}`);
	},
);

test.each([
	['larger than the default', 413, { pageSize: 1_000 }, 1_000],
	['larger than the default', 502, { pageSize: 1_000 }, 1_000],
	['of 25', 413, { pageSize: 25 }, 0],
])(
	'a user who has set a Page Size %s gets all leads behind a gateway that answers %i',
	async (_, code, options, wasted) => {
		const { search } = customer({ faults: [gateway(code)] });
		const result = await search({ limit: 1_500, options });
		expect(result).toMatchObject({ urls: first(1_500), spent: 1_500 + wasted });
	},
);

test('a lookup of 300 URLs behind a gateway that answers 413 above 60 rows wastes one request', async () => {
	const { lookUpAll } = customer({ faults: [gateway(413)] });
	const result = await lookUpAll(first(300));
	expect(result).toMatchObject({ urls: first(300), spent: 400 });
	expect([result.sizes[0], Math.max(...result.sizes.slice(1).map(Number))]).toEqual([100, 25]);
});

test('a preview and a count behind a gateway that answers 413 above 60 rows request 25, and say nothing about credits', async () => {
	shared.service.admin.addFault(gateway(413));
	const { preview, count } = customer();
	const result = await preview({ filters: { personLocationCountry: 'Iceland' }, limit: 200 });
	expect(result).toMatchObject({ urls: first(200), warnings: [] });
	const counted = await count({ filters: { personLocationCountry: 'Iceland' } });
	expect(counted.json).toEqual([expect.objectContaining({ count: 2_350, isAtLeast: false })]);
});

test('if 25 rows get a 413 as well, the run ends after one more request, and the message names Page Size', async () => {
	const { search } = customer({ faults: [gateway(413, 20)] });
	const { errors, sizes, spent } = await search({ limit: 500 }, continueOnError);
	expect([sizes, spent]).toEqual([[100, 25], 125]);
	expect(errors).toMatchObject([
		{
			error:
				'A gateway refused the request or its response as too large (413); the request may have been charged',
			message:
				"Set 'Page Size' under Options to 25, or lower if requests for 25 are refused, too. 2 responses were lost or could not be used; up to 125 credits may have been charged.",
			details: { status: 413, creditsSpent: 0, fetched: 0 },
		},
	]);
});

test.each([500, 502, 503])(
	'the message about a %i never says that nothing was charged, also if a 401 ends the run',
	async (code) => {
		const always = { times: 'always' } as const;
		const only = await customer({ faults: [status(code, always)] }).search({ limit: 5 });
		const faults = [status(code), status(401, always)];
		const mixed = await customer({ faults }).search({ limit: 5 });
		expect(mixed.message).toBe('The API key was not accepted (401)');
		for (const { description } of [only, mixed]) {
			expect(description).toMatch(/The node counts no credits for (it|them), but the service may/);
			expect(description).not.toContain('Nothing was charged');
		}
	},
);

test('three nights of polls behind a gateway that answers 413 above 60 rows deliver each lead once, and waste 100 credits each', async () => {
	const { poll, addFault, spent } = await createTrigger(shared, { leadsPerPoll: 200 });
	addFault(gateway(413));
	const nights = [await poll(), await poll(), await poll()];
	expect(nights.flat()).toEqual(icelandUrls.slice(0, 600));
	expect(spent()).toBe(900);
});
