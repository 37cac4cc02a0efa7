/** The bench itself, small: everybody does all of the work, in the real processes. */
import { startEnvironment, type Environment } from '../../bench/environment';
import { cases, fewer, measure } from '../../bench/main';
import { leastRatios } from '../../bench/report';

const environment = {} as Environment;

beforeAll(async () => {
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	Object.assign(environment, await startEnvironment());
});
afterAll(() => environment.stop());

test.each(cases.filter(({ latencyMs, leads }) => latencyMs > 0 && leads === 10_000).map(fewer))(
	'$kind: everybody does all of the work, and is timed',
	async (one) => {
		const result = await measure(environment, one, 1);
		const { runs } = result;
		for (const [run] of Object.values(runs))
			expect(run?.milliseconds).toBeGreaterThanOrEqual(one.latencyMs);
		// NaN without a processor time.
		expect(leastRatios([result])).toEqual([expect.stringMatching(/: \d+\.\d\d × the least/)]);
	},
);
