/** `npm run probe` tells how a service reads its contract, for at most ten credits. */
import { join } from 'node:path';
import execa from 'execa';
import { probe } from '../../sandbox/probe/probe';
import type { AccountOptions, Deviation } from '../../sandbox/service';
import { useService } from './client';

const service = useService();

const plain = [
	['A preview of 100 leads', '100 rows under preview_data, 100 profiles; page 1, per_page 100'],
	['A search that no lead fits', '0 rows under preview_data, 0 profiles; page 1, per_page 1'],
	['A page size of 1000 in a search', '0 rows under preview_data, 0 profiles; page 1, per_page 10'],
	['A page after the only one', '0 rows under preview_data, 0 profiles; page 2'],
	['Page 1 of 2 leads', '2 rows under preview_data, 2 profiles; page 1, per_page 2, has_more true'],
	['Page 2 of the first 3 leads', '1 rows under preview_data, 1 profiles; page 2, per_page 2'],
	['The fourth lead', '1 rows under preview_data'],
	['A page after the first 3 leads', '0 rows under preview_data, 0 profiles; page 4'],
	['A page size of 1000 in a lookup', '0 rows under data, 0 profiles; page 1, per_page 1000'],
	['A page of 1 for 2 profiles, the first of nobody', '1 rows under data, 1 profiles; page 1'],
	['Known profiles', '2 rows under data, 2 profiles; page 1, per_page 2, has_more false'],
] as const;

/** Probes an account that is treated like previews. */
async function probed(options: AccountOptions) {
	const { readings = {}, deviation = {} } = options;
	service.admin.setPreviewBehaviour({ readings, deviation });
	const { apiKey, spent } = service.admin.createAccount(options);
	const found = await probe(service.baseUrl, apiKey);
	expect(found.report).not.toContain(apiKey);
	expect(spent.apiCredits).toBeLessThanOrEqual(10);
	expect(found.spent).toBe(spent.apiCredits);
	return found;
}

type Question = (typeof plain)[number][0] | 'The lead after a short page';

test('a plain service', async () => {
	const { lines, spent } = await probed({});
	expect(lines.map(({ question }) => question)).toEqual(plain.map(([question]) => question));
	for (const [index, [, answer]] of plain.entries()) expect(lines[index]?.answer).toContain(answer);
	expect(lines.filter(({ verdict }) => verdict !== 'supported')).toEqual([]);
	expect(spent).toBe(7);
});

const noCredits = '402: {"success":false,"message":"Not enough credits"}';
const none = 'page missing, per_page missing, has_more missing, next_page missing';
type Example = [readings: AccountOptions['readings'], Question, answer: string, credits?: number];

test.each<Example>([
	[
		{ pageSize: 30, rowsAt: 'bareArray' },
		'Page 1 of 2 leads',
		`2 rows under no name, 2 profiles; ${none}`,
	],
	[
		{ afterLast: 'lastPage' },
		'A page after the first 3 leads',
		'1 rows under preview_data, 1 profiles; page 3',
	],
	[
		{ profiles: { renamedEvery: 1, twiceEvery: 1 } },
		'Known profiles',
		'1 profiles, 2 of them under other URLs',
	],
	[{ lowBalance: 'lookUpRefused' }, 'Known profiles', noCredits, 6],
	[{ zeroBalance: 'refusesAll' }, 'A search that no lead fits', noCredits, 0],
])('a supported service of %j: %s', async (readings, question, answer, apiCredits = 1_000) => {
	const { lines, report } = await probed({ readings, apiCredits });
	expect(lines.find((line) => line.question === question)?.answer).toContain(answer);
	expect(lines.filter(({ verdict }) => verdict !== 'supported')).toEqual([]);
	const isOut = report.includes('Ended early: the key had no credits left.');
	expect(isOut).toBe(answer === noCredits);
});

test.each<[Deviation, Question, string]>([
	[{ otherPage: { asked: 2, page: 1 } }, 'Page 2 of the first 3 leads', 'another page'],
	[{ largerPages: 4 }, 'A search that no lead fits', 'more rows than asked for'],
	[{ jump: { page: 1, next: 5 } }, 'Page 1 of 2 leads', 'a jump'],
	[{ hiddenRows: 'results' }, 'Page 1 of 2 leads', 'no rows by a known name'],
	[{ emptyPage: 2 }, 'A page after the only one', 'an empty page that says that more follow'],
])('what no supported service does: %j', async (deviation, question, verdict) => {
	const { lines, report } = await probed({ deviation });
	const noticed = { question, verdict: `noticed: ${verdict}` };
	expect(lines).toContainEqual(expect.objectContaining(noticed));
	expect(report).not.toContain('first_name":');
});

describe('the command', () => {
	const run = async (input: string, key: string, address = service.baseUrl) =>
		await execa(process.execPath, ['--import', 'tsx', 'sandbox/probe/cli.ts', address], {
			cwd: join(__dirname, '../..'),
			input,
			env: { LEAD_SEARCH_API_KEY: key },
			reject: false,
		});

	test('says what it may cost, and asks nothing without a yes', async () => {
		const { apiKey } = service.admin.createAccount();
		const since = service.admin.requests().length;
		const { stdout } = await run('\n', apiKey);
		expect(stdout).toContain('at most 10 credits');
		expect(stdout).toMatch(/Go on\? \(y\/N\) $/);
		expect(service.admin.requests()).toHaveLength(since);
	});

	test('prints a table, and never the key', async () => {
		service.admin.setPreviewBehaviour({});
		const { apiKey } = service.admin.createAccount();
		const refusing = JSON.stringify({ message: `${apiKey} has no credits` });
		service.admin.addFault({ kind: 'status', status: 402, body: refusing, account: apiKey });
		const { stdout, stderr } = await run('y\n', apiKey);
		const told =
			'| A search that no lead fits | 402: {"message":"*** has no credits"} | supported |';
		expect(stdout).toContain(told);
		expect(stdout + stderr).not.toContain(apiKey);
	});
});
