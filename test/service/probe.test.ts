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
	['The lead after the first 10000', '1 rows under preview_data'],
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
type Answers = Partial<Record<Question, string>>;

test('a plain service', async () => {
	const { lines, spent } = await probed({});
	expect(lines.map(({ question }) => question)).toEqual(plain.map(([question]) => question));
	for (const [index, [, answer]] of plain.entries()) expect(lines[index]?.answer).toContain(answer);
	expect(lines.filter(({ verdict }) => verdict !== 'supported')).toEqual([]);
	expect(spent).toBe(8);
});

const noCredits = '402: {"success":false,"message":"Not enough credits"}';
type Told = number | string;
const paging = (page: Told, perPage: Told, hasMore: Told, next: Told) =>
	`page ${page}, per_page ${perPage}, has_more ${hasMore}, next_page ${next}`;
const last = (page: number, size: number) => paging(page, size, 'false', 'null');
const unnamed = (size: number, hasMore: boolean) =>
	paging('missing', size, String(hasMore), 'missing');
const none = 'missing';

test.each<[string, AccountOptions, Answers]>([
	[
		'page sizes that are cut and repeated',
		{
			readings: {
				...{ pageSize: 50, perPage: 'asked', afterLast: 'lastPage', lookUpPages: 'urls' },
				...{ missing: ['page', 'next_page'], maxResults: 'totalCount', rowsAt: 'data' },
				profiles: { renamedEvery: 1, twiceEvery: 1 },
			},
		},
		{
			'A preview of 100 leads': `50 rows under data, 50 profiles; ${unnamed(100, true)}`,
			'A page after the only one': `0 rows under data, 0 profiles; ${last(1, 1)}`,
			'Page 2 of the first 3 leads': `2 rows under data, 2 profiles; ${unnamed(2, true)}`,
			'A page of 1 for 2 profiles, the first of nobody': `0 rows under data, 0 profiles; ${unnamed(1, true)}`,
			'Known profiles': `2 rows under data, 1 profiles, 2 of them under other URLs; ${unnamed(2, false)}`,
		},
	],
	[
		'page sizes that are refused',
		{
			readings: {
				...{ pageSize: 100, tooLarge: 413, perPage: 'rowsOnLastPage', afterLast: 'lastPage' },
				...{ refusesFrom: { row: 10_000, status: 422 }, profiles: { withoutUrlEvery: 1 } },
				preview: { masks: 'all', most: 40, rowsAt: 'people' },
			},
		},
		{
			'A preview of 100 leads': `40 rows under people, 0 profiles; ${last(1, 40)}`,
			'A page size of 1000 in a search':
				'413: {"success":false,"message":"_per_page must be at most 100"}',
			'A page after the first 3 leads': `1 rows under preview_data, 1 profiles; ${last(3, 1)}`,
			'The lead after the first 10000': '422: {"success":false,"message":"There is no page 10001"}',
			'Known profiles': `2 rows under data, 0 profiles; ${last(1, 2)}`,
		},
	],
	[
		'bodies that are lists',
		{ readings: { pageSize: 30, rowsAt: 'bareArray', afterLast: 404 } },
		{
			'Page 1 of 2 leads': `2 rows under no name, 2 profiles; ${paging(none, none, none, none)}`,
			'A page after the only one': '404: {"success":false,"message":"There is no page 2"}',
		},
	],
	[
		'a lookup that costs more than is left',
		{ apiCredits: 7, readings: { lowBalance: 'lookUpRefused' } },
		{ 'Known profiles': noCredits },
	],
	[
		'one credit',
		{ apiCredits: 1, readings: { zeroBalance: 'refusesAll' } },
		{
			'Page 1 of 2 leads': `1 rows under preview_data, 1 profiles; ${last(1, 2)}`,
			'The lead after a short page': noCredits,
		},
	],
	['no credits where there are rows', { apiCredits: 0 }, { 'Page 1 of 2 leads': noCredits }],
	[
		'no credits at all',
		{ apiCredits: 0, readings: { zeroBalance: 'refusesAll' } },
		{ 'A search that no lead fits': noCredits },
	],
])('%s', async (_, options, answers) => {
	const { lines, report } = await probed(options);
	const told = Object.fromEntries(lines.map(({ question, answer }) => [question, answer]));
	expect(told).toMatchObject(answers);
	expect(lines.filter(({ verdict }) => verdict !== 'supported')).toEqual([]);
	const isOut = Object.values(answers).includes(noCredits);
	expect(report.includes('Ended early: the key had no credits left.')).toBe(isOut);
});

const hidden = 'no rows by a known name';
const empty = 'an empty page that says that more follow, unless credits ran out';
test.each<[Deviation, Question, string]>([
	[{ otherPage: { asked: 2, page: 1 } }, 'Page 2 of the first 3 leads', 'another page'],
	[{ firstPageFrom: 2 }, 'Page 2 of the first 3 leads', 'leads of page 1 again'],
	[{ moreRows: 3 }, 'Page 1 of 2 leads', 'more rows than asked for'],
	[{ largerPages: 4 }, 'A search that no lead fits', 'more rows than asked for'],
	[{ jump: { page: 1, next: 5 } }, 'Page 1 of 2 leads', 'a jump'],
	[{ filteredEvery: 2 }, 'Page 1 of 2 leads', 'a short page that says that more follow'],
	[{ hiddenRows: 'results' }, 'Page 1 of 2 leads', hidden],
	[{ hiddenRows: 'null' }, 'Page 1 of 2 leads', hidden],
	[{ emptyPage: 2 }, 'A page after the only one', empty],
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

	test.each([
		['with a key that is refused', 'no-such-key', 'answered with status 401'],
		['at an address that is none', 'a-key', "'Base URL' does not start with"],
	])('ends %s', async (_, key, message) => {
		const address = key === 'a-key' ? 'service' : service.baseUrl;
		const { stdout, stderr } = await run('y\n', key, address);
		expect(stdout + stderr).toContain(message);
		expect(stdout + stderr).not.toContain(key);
	});
});
