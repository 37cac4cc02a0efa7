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

test.each(answers)(
	'a lookup with Page Size 200 has requests for at most 25 URLs after a response of more than 30 rows that is %s, also for URLs alone and again',
	async (_, failure) => {
		const rows = numberedRows(400).filter(({ id }) => id % 2 === 0);
		const world = new World(1_000_000, { profiles: { renamedEvery: 50 } }, rows);
		const urls = numberedRows(400).map(({ record }) => record.linkedin_url);
		const job = profilesOf(newProfiles(), urls, { pageSize: 200 });
		const sizes: number[] = [];
		const body = (request: Parameters<typeof job.body>[0]) => {
			sizes.push(request.size);
			return job.body(request);
		};
		const conditions = { ...FAIR, parallelPages: 1, gateway: { maxRows: 30, failure } };
		const [result] = await world.run([{ ...job, body }], conditions);
		expect(result?.failure).toBeUndefined();
		expect([sizes[0], Math.max(...sizes.slice(1))]).toEqual([200, 25]);
	},
);

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
