/** Tests gateways that lose large responses after the service has charged them: what is wasted, and the page sizes. */
import fc from 'fast-check';

import { failureFromStatus, type Failure } from '../../nodes/LeadSearch/api/failures';
import { Credits } from '../../nodes/LeadSearch/paging/credits';
import { fetchAll } from '../../nodes/LeadSearch/paging/fetchAll';
import { LeadList } from '../../nodes/LeadSearch/paging/leadList';
import { DRAWS, of } from '../seed';
import { FAIR, leadsOf, newProfiles, numberedRows, profilesOf, QUIET, World } from './world';

jest.setTimeout(Math.max(300_000, DRAWS * 100));

const lost: Failure = { kind: 'lostResponse' };
const answers: Array<[string, Failure]> = [
	['lost', lost],
	...[413, 500, 502, 503, 504].map((status): [string, Failure] => [
		`answered with ${status}`,
		failureFromStatus(status, {}, undefined, 0),
	]),
];

describe.each(answers)('A response of more than 60 rows that is %s', (_, failure) => {
	const isCounted = !['500', '502', '503'].includes(String(failure.status));

	test.each([
		['search of 2,000 leads', undefined, 100],
		['search of 2,000 leads', 1_000, 1_000],
		['lookup of 500 URLs', undefined, 100],
		['lookup of 500 URLs', 500, 500],
	])('costs a %s with Page Size %p only %i credits', async (kind, pageSize, wasted) => {
		const rows = numberedRows(kind.startsWith('search') ? 2_000 : 500);
		const world = new World(1_000_000, {}, rows);
		const list = kind.startsWith('search') ? new LeadList() : newProfiles();
		const urls = rows.map(({ record }) => record.linkedin_url);
		const job =
			list instanceof LeadList
				? leadsOf(list, { limit: 2_000, pageSize })
				: profilesOf(list, urls, { pageSize });
		const [result] = await world.run([job], { ...FAIR, gateway: { maxRows: 60, failure } });
		expect(result?.failure).toBeUndefined();
		expect(list.rowCount).toBe(rows.length);
		expect(world.lost).toHaveLength(wasted);
		expect(list.cost).toMatchObject({
			possiblyCharged: isCounted ? wasted : 0,
			lostResponses: 1,
		});
	});

	test('has at most 25 rows after that, also in the queues alone and again of a lookup', async () => {
		const rows = numberedRows(400).filter(({ id }) => id % 2 === 0);
		const world = new World(1_000_000, { profiles: { renamedEvery: 50 } }, rows);
		const urls = numberedRows(400).map(({ record }) => record.linkedin_url);
		const job = profilesOf(newProfiles(), urls);
		const sizes: number[] = [];
		const body = (request: Parameters<typeof job.body>[0]) => {
			sizes.push(request.size);
			return job.body(request);
		};
		const gateway = { maxRows: 30, failure };
		await world.run([{ ...job, body }], { ...FAIR, parallelPages: 1, gateway });
		expect([sizes[0], Math.max(...sizes.slice(1))]).toEqual([100, 25]);
	});
});

const outcomes = fc.array(
	of<Failure | 'good'>('good', 'good', ...answers.map(([, failure]) => failure), {
		kind: 'tooManyRequests',
		status: 429,
	}),
	{ minLength: 1, maxLength: 12 },
);

test('an outage possibly charges one page of the first size, and 25 rows for each further response that it loses', async () => {
	const rows = numberedRows(5_000).map(({ record }) => ({ ...record }));
	await fc.assert(
		fc.asyncProperty(
			outcomes,
			of(undefined, 1_000, 300, 40, 25),
			of(0, 3, 10),
			async (drawn, pageSize, maxRetries) => {
				const list = new LeadList();
				const sizes: number[] = [];
				await fetchAll([leadsOf(list, { limit: 3_000, pageSize })], {
					...QUIET,
					parallelPages: 1,
					maxRetries,
					credits: new Credits({ maxCredits: 100_000 }),
					send: (_, { firstKey, size }) => {
						const outcome = drawn[sizes.push(size) - 1] ?? 'good';
						if (outcome !== 'good') return Promise.resolve({ failure: outcome });
						const from = Number(firstKey);
						return Promise.resolve({ value: { rows: rows.slice(from, from + size) } });
					},
				});
				const sent = drawn.slice(0, sizes.length).filter((one) => one !== 'good');
				const counted = sent.filter(({ kind, status = 504 }) =>
					kind === 'tooManyRequests' ? false : [413, 504].includes(status),
				);
				expect(list.cost.possiblyCharged).toBeLessThanOrEqual(
					counted.length > 0 ? (pageSize ?? 100) + (counted.length - 1) * 25 : 0,
				);
				const firstLoss = drawn.findIndex(
					(one) => one !== 'good' && one.kind !== 'tooManyRequests',
				);
				const later = firstLoss < 0 ? [] : sizes.slice(firstLoss + 1);
				expect(Math.max(0, ...later)).toBeLessThanOrEqual(25);
			},
		),
		{ numRuns: DRAWS },
	);
});
