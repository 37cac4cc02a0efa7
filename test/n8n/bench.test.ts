/** Tests the bench itself with little work. Each program does all of it, in its real process. */
import { startEnvironment, type Environment } from '../../bench/environment';
import { cases, measure, reduceLeads } from '../../bench/main';
import { formatTable, formatTitle, subjectsOf } from '../../bench/report';

const environment = {} as Environment;

beforeAll(async () => {
	jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	Object.assign(environment, await startEnvironment());
});
afterAll(() => environment.stop());

test.each(
	cases
		.filter(
			({ latencyMs, leads, isWide }) => isWide === true || (latencyMs > 0 && leads === 10_000),
		)
		.map((one) => ({ ...reduceLeads(one), title: formatTitle(one) })),
)('each program of the bench does all of the work and is timed: $title', async (one) => {
	const result = await measure(environment, one, 1);
	for (const subject of subjectsOf(one))
		expect(result.runs[subject][0]?.milliseconds).toBeGreaterThanOrEqual(one.latencyMs);
	// The ratio to the least is missing without a processor time.
	expect(formatTable([result])).toMatch(/ Lead Search \|.* ms \| \d+\.\d\d × \|/);
});
