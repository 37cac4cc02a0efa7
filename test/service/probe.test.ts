/** `npm run probe` tells how a service reads its contract, for at most ten credits. */
import { join } from 'node:path';
import execa from 'execa';
import { probe } from '../../sandbox/probe/readings';
import type { AccountOptions, Deviation } from '../../sandbox/service';
import { useService } from './client';

const service = useService();

/** What a plain service does; for lines that aren't asked, why. */
const plain: Record<string, string> = {
	'A preview of 100 leads': '100 rows, `per_page` 100, 100 different `linkedin_url`',
	'Where a preview has its rows': '`preview_data`',
	'A page size of 1000 in a search':
		'taken, or cut without a word: a full page would cost too much',
	'A page size of 1000 in a lookup':
		'taken, or cut without a word: a full page would cost too much',
	'Where a search has its rows': '`preview_data`',
	'Where a lookup has its rows': '`data`',
	'`page`, `per_page`, `has_more`, `next_page`': 'all there',
	'`has_more` and `next_page` on page 1': 'true, 2',
	'The page that is answered': '2 for 2',
	'Leads of page 1 on page 2': '0 of 1',
	'More rows than asked for': 'none',
	'A short page that says that more follow': 'none',
	'An empty page that says that more follow': 'none',
	'What `max_results` caps': 'the rows',
	'`per_page` on a short last page': '2 for 1 row of 2',
	'A page after the last one': '0 rows, `page` 4 for 4',
	'The lead after the first 10000': 'it comes',
	'A balance of 0': 'not asked: it takes a key without credits',
	'The body of a 402': 'not asked: no answer was one',
	'What lookup pages count': 'rows found',
	'The URLs under which profiles come back':
		'2 asked for: 2 came, 0 twice; under another URL 0, under none 0',
};

type Differences = Record<string, string>;

const noEnd = { '`per_page` on a short last page': 'not asked: no page is known to be the last' };
const emptyEnd = { 'A page after the last one': '0 rows, `page` 2 for 2' };
const body402 = {
	'The body of a 402': '`{"success":false,"message":"Not enough credits"}`',
};

/** Probes an account that is treated like previews: what differs from a plain service, and the rest. */
async function probed(options: AccountOptions) {
	const { readings = {}, deviation = {} } = options;
	service.admin.setPreviewBehaviour({ readings, deviation });
	const { apiKey, spent } = service.admin.createAccount(options);
	const { lines, report, ...told } = await probe(service.baseUrl, apiKey);
	expect(report).not.toContain(apiKey);
	expect(spent.apiCredits).toBeLessThanOrEqual(10);
	expect(told.spent).toBe(spent.apiCredits);
	expect(lines.map(({ reading }) => reading)).toEqual(Object.keys(plain));
	for (const { does, verdict } of lines) expect(verdict === '').toBe(does.startsWith('not asked'));
	const differing = lines.filter(({ reading, does }) => does !== plain[reading]);
	const isEnded = ({ does }: { does: string }) => does.startsWith('not asked: the questions ended');
	return {
		differences: Object.fromEntries(
			differing.filter((line) => !isEnded(line)).map(({ reading, does }) => [reading, does]),
		),
		ended: differing.filter(isEnded).length,
		noticed: lines.filter(({ verdict }) => verdict === 'noticed').map(({ reading }) => reading),
		report,
	};
}

test.each<[string, AccountOptions, Differences]>([
	['a plain service', {}, {}],
	[
		'page sizes that are cut and repeated',
		{
			readings: {
				pageSize: 50,
				perPage: 'asked',
				missing: ['page', 'next_page'],
				maxResults: 'totalCount',
				afterLast: 'lastPage',
				lookUpPages: 'urls',
				rowsAt: 'data',
				profiles: { renamedEvery: 1, twiceEvery: 1 },
			},
		},
		{
			...noEnd,
			'A preview of 100 leads': '50 rows, `per_page` 100, 50 different `linkedin_url`',
			'Where a preview has its rows': '`data`',
			'Where a search has its rows': '`data`',
			'`page`, `per_page`, `has_more`, `next_page`': 'missing: page, next_page',
			'`has_more` and `next_page` on page 1': 'true, missing',
			'The page that is answered': 'missing for 2',
			'Leads of page 1 on page 2': '0 of 2',
			'What `max_results` caps': 'no rows: `total_count` at most',
			'A page after the last one': '0 rows, `page` 1 for 2',
			'What lookup pages count': 'URLs',
			'The URLs under which profiles come back':
				'1 asked for: 0 came, 0 twice; under another URL 2, under none 0',
		},
	],
	[
		'page sizes that are refused',
		{
			readings: {
				pageSize: 100,
				tooLarge: 413,
				perPage: 'rowsOnLastPage',
				afterLast: 'lastPage',
				refusesFrom: { row: 10_000, status: 422 },
				profiles: { withoutUrlEvery: 1 },
				preview: { masks: 'all', most: 40, rowsAt: 'people' },
			},
		},
		{
			'A preview of 100 leads': '40 rows, `per_page` 40, 0 different `linkedin_url`',
			'Where a preview has its rows': '`people`',
			'A page size of 1000 in a search': 'refused (413)',
			'A page size of 1000 in a lookup': 'refused (413)',
			'`per_page` on a short last page': '1 for 1 row of 2',
			'A page after the last one': '1 rows, `page` 3 for 4',
			'The lead after the first 10000': 'refused (422)',
			'The URLs under which profiles come back':
				'2 asked for: 0 came, 0 twice; under another URL 0, under none 2',
		},
	],
	[
		'bodies that are lists',
		{
			readings: {
				pageSize: 30,
				rowsAt: 'bareArray',
				afterLast: 404,
				profiles: { twiceEvery: 1 },
			},
		},
		{
			'A preview of 100 leads': '30 rows, `per_page` missing, 30 different `linkedin_url`',
			'Where a preview has its rows': 'the body is the list',
			'Where a search has its rows': 'the body is the list',
			'Where a lookup has its rows': 'the body is the list',
			'`page`, `per_page`, `has_more`, `next_page`': 'missing: page, per_page, has_more, next_page',
			'`has_more` and `next_page` on page 1': 'missing, missing',
			'The page that is answered': 'missing for 2',
			'`per_page` on a short last page': 'missing for 1 row of 2',
			'A page after the last one': 'refused (404)',
			'The URLs under which profiles come back':
				'2 asked for: 1 came, 1 twice; under another URL 0, under none 0',
		},
	],
	[
		'page sizes that are cut and named',
		{
			leads: 60,
			readings: {
				pageSize: 30,
				noRows: 'missing',
				afterLast: 422,
				rowsAt: 'data',
				preview: { most: 0 },
			},
		},
		{
			'A preview of 100 leads': '0 rows, `per_page` 30, 0 different `linkedin_url`',
			'Where a preview has its rows': 'there is none without rows',
			'A page size of 1000 in a search': '`per_page` is 30',
			'A page size of 1000 in a lookup': '`per_page` is 30',
			'Where a search has its rows': '`data`',
			'A page after the last one': 'refused (422)',
			'The lead after the first 10000': 'refused (422)',
		},
	],
	[
		'a lookup that costs more than is left',
		{ apiCredits: 7, readings: { lowBalance: 'lookUpRefused' } },
		{
			...body402,
			'The URLs under which profiles come back': 'not asked: the answer was a 402',
		},
	],
	[
		'a lookup that credits cut',
		{ apiCredits: 6, leads: 60 },
		{
			'The lead after the first 10000': 'none: fewer leads fit',
			'The URLs under which profiles come back':
				'2 asked for: 1 came, 0 twice; under another URL 0, under none 0',
		},
	],
])('%s', async (_, options, differences) => {
	const found = await probed(options);
	expect(found).toMatchObject({ noticed: [], ended: 0 });
	expect(found.differences).toEqual(differences);
});

test.each<[string, AccountOptions, number, Differences]>([
	[
		'one credit',
		{ apiCredits: 1, readings: { zeroBalance: 'refusesAll' } },
		8,
		{
			...body402,
			'`has_more` and `next_page` on page 1': 'false, null',
			'A balance of 0': '402 to everything',
		},
	],
	[
		'none, and 402 where there are rows',
		{ apiCredits: 0 },
		14,
		{ ...body402, 'A balance of 0': '402 only where there are rows' },
	],
	[
		'none, and empty pages that say that more follow',
		{ apiCredits: 0, readings: { zeroBalance: 'emptyPage' } },
		8,
		{
			'A balance of 0': 'an empty page that says that more follow',
			'An empty page that says that more follow': 'it comes',
		},
	],
])('a balance of %s', async (_, options, ended, differences) => {
	const found = await probed(options);
	expect(found).toMatchObject({ noticed: [], ended });
	expect(found.differences).toEqual({ ...noEnd, ...emptyEnd, ...differences });
	expect(found.report).toContain('Ended early: the key had no credits left.');
});

test('402 to everything, from the first question on', async () => {
	const found = await probed({ apiCredits: 0, readings: { zeroBalance: 'refusesAll' } });
	expect(found).toMatchObject({ noticed: [], ended: 16 });
	expect(found.differences).toEqual({
		...noEnd,
		...body402,
		'A balance of 0': '402 to everything',
	});
});

const surplus = 'More rows than asked for';
const rowsOfSearch = 'Where a search has its rows';
test.each<[Deviation, Differences]>([
	[{ otherPage: { asked: 2, page: 1 } }, { 'The page that is answered': '1 for 2' }],
	[{ firstPageFrom: 2 }, { 'Leads of page 1 on page 2': '2 of 2' }],
	[{ moreRows: 3 }, { [surplus]: '5 of 2, `per_page` 2' }],
	[{ largerPages: 4 }, { [surplus]: '4 of 2, `per_page` 4' }],
	[{ emptyPage: 2 }, { 'An empty page that says that more follow': 'it comes' }],
	[{ jump: { page: 1, next: 5 } }, { '`has_more` and `next_page` on page 1': 'true, 5' }],
	[{ filteredEvery: 2 }, { 'A short page that says that more follow': '1 rows of 2' }],
	[{ hiddenRows: 'results' }, { [rowsOfSearch]: expect.stringContaining('results') as string }],
	[
		{ hiddenRows: 'null' },
		{
			'A preview of 100 leads': 'status 200, and no rows',
			[rowsOfSearch]: expect.stringMatching(/^status 200; none among .*preview_data/) as string,
		},
	],
])('what no supported service does: %j', async (deviation, differences) => {
	const found = await probed({ deviation });
	expect(found.noticed).toEqual(expect.arrayContaining(Object.keys(differences)));
	expect(found.differences).toMatchObject(differences);
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
		const { id, apiKey } = service.admin.createAccount();
		const since = service.admin.requests().length;
		const { stdout } = await run('\n', apiKey);
		expect(stdout).toContain('at most 10 credits');
		expect(stdout).toMatch(/Go on\? \(y\/N\) $/);
		expect(service.admin.requests()).toHaveLength(since);
		expect(service.admin.account(id).spent.apiCredits).toBe(0);
	});

	test('prints a table, and never the key', async () => {
		service.admin.setPreviewBehaviour({});
		const { apiKey } = service.admin.createAccount();
		const refusing = JSON.stringify({ message: `${apiKey} has no credits` });
		service.admin.addFault({ kind: 'status', status: 402, body: refusing, account: apiKey });
		const { stdout, stderr } = await run('y\n', apiKey);
		expect(stdout).toContain('| A balance of 0 | 402 only where there are rows | supported |');
		expect(stdout).toContain('*** has no credits');
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
