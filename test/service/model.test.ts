/** Tests one example of each supported reading of the contract, and of each deviation. */
import { leadAt, matching } from '../../sandbox/service';
import { profileAt, rowsOf } from '../../sandbox/service/leads';
import { serve } from '../../sandbox/service/model';
import type { Deviation, Ledger, Readings, Request, State } from '../../sandbox/service/model';

/** A service with 60 leads, which are also its profiles, and 1,000 credits. */
function service(
	readings: Partial<Readings> = {},
	credits = 1_000,
	deviation?: Deviation,
	count = 60,
): State & Ledger {
	const profile = (url: string) => {
		const row = profileAt(url);
		return row && row.id < count ? row : undefined;
	};
	const leads = () => firstRows(count);
	return { readings, deviation, leads, profiles: { get: profile }, credits, charged: [] };
}

const firstRows = (count: number) => rowsOf(matching().subarray(0, count));

/** Returns a response: status, IDs of its rows as a range ('25-49'), body, and fields of the body. */
function respond(state: State & Ledger, request: Request) {
	const { status, body, rows } = serve(state, request);
	const fields = body as Record<string, unknown>;
	const isRun = rows.length > 2 && rows.every((id, index) => id === Number(rows[0]) + index);
	const range = isRun ? `${rows[0]}-${rows.at(-1)}` : rows.join(' ');
	return { ...fields, status, rows: range, body: fields };
}

const urlOf = (id: number) => leadAt(id).linkedin_url;
const search = (_page: number, _per_page: number, more = {}): Request => ({
	endpoint: 'search',
	body: { _page, _per_page, max_results: 100_000, ...more },
});
/** A lookup of URLs by number. Numbers from 60 on have no profile. */
const lookUp = (ids: number[], more = {}): Request => ({
	endpoint: 'lookUp',
	body: { linkedinUrls: ids.map(urlOf), onlyWithEmails: false, ...more },
});

test('a service with the plain reading returns pages of rows, says whether more rows follow, and charges each row', () => {
	const plain = service();
	const common = { status: 200, per_page: 25, count: 25, total_count: 100_000 };
	expect(respond(plain, search(2, 25))).toMatchObject({ ...common, rows: '25-49', next_page: 3 });
	const last = { count: 10, has_more: false, next_page: null, total_count: 60 };
	expect(respond(plain, search(3, 25))).toMatchObject({ rows: '50-59', ...last });
	expect(respond(plain, search(4, 25))).toMatchObject({ rows: '', count: 0, page: 4 });
	expect(plain).toMatchObject({ credits: 965, charged: { length: 35 } });
});

const three = [60, 61, 1, 2, 3];
const max20 = { max_results: 20 };
const capped = { rows: '0-19', total_count: 20, has_more: false };
const max2 = { max_results: 2 };
const only3 = { rows: '0-2', count: 3, has_more: false, total_count: 3 };
const missing: Readings['missing'] = ['page', 'per_page', 'has_more', 'next_page'];
const two = [{}, {}];
const row1 = { row: 1, status: 404 } as const;
const uncapped = { ...capped, rows: '0-49', has_more: true };
const whole = { page: 1, preview_data: { length: 60 } };
const byUrl = { pageSize: 2, lookUpPages: 'urls' } as const;
type Example = [Partial<Readings>, Request, object, number?];
const examples: Example[] = [
	[{}, { endpoint: 'search', body: {} }, { rows: '0-24', total_count: 500 }],
	[{}, lookUp([3, 1, 60, 3]), { rows: '3 1', per_page: 100, body: { max_results: 4 } }],
	[{}, { endpoint: 'preview', body: {} }, { rows: '0-24', total_count: 60 }],
	[{ pageSize: 30 }, search(2, 50), { rows: '30-59', per_page: 30, page: 2 }],
	[{ pageSize: 30, tooLarge: 422 }, search(1, 31), { status: 422, rows: '' }],
	[{ pageSize: 30, tooLarge: 422 }, search(1, 30), { status: 200 }],
	[{}, search(1, 60), { has_more: false, next_page: null }],
	[{ hasMore: 'fullPage' }, search(1, 60), { has_more: true, next_page: 2 }],
	[{ afterLast: 404 }, search(3, 30), { status: 404 }],
	[{ afterLast: 'lastPage', missing: ['page'] }, search(9, 50), { page: 2 }],
	[{ afterLast: 'lastPage', hasMore: 'fullPage' }, search(9, 30), { page: 2, has_more: false }],
	[{ refusesFrom: { row: 40, status: 422 } }, search(3, 20), { status: 422, rows: '' }],
	[{ refusesFrom: row1 }, lookUp([1, 2], { _page: 2, _per_page: 1 }), { rows: '2' }],

	[{}, search(1, 50, max20), capped],
	[{ maxResults: 'totalCount' }, search(1, 50, max20), uncapped],
	[{ maxResults: 'totalCount' }, lookUp([1, 2, 3], max2), { count: 3, total_count: 2 }],

	[{}, search(1, 25), { ...only3, per_page: 25 }, 3],
	[{ zeroBalance: 'refusesAll' }, search(1, 25), only3, 3],
	[{ lowSays: 'more' }, search(1, 25), { ...only3, has_more: true, per_page: 25 }, 3],
	[{ lowSays: 'more', missing }, search(1, 25), { ...only3, has_more: true, next_page: 2 }, 3],
	[{}, lookUp([0, 1, 2, 3]), only3, 3],
	[{ lowBalance: 'lookUpRefused' }, lookUp([0, 1, 2, 3]), { status: 402, rows: '' }, 3],

	[{ rowsAt: 'data' }, search(1, 2), { data: two }],
	[{ rowsAt: 'preview_data' }, lookUp([1, 2]), { preview_data: two }],
	[{ rowsAt: 'bareArray' }, search(1, 2), { body: two }],
	[{ rowsAt: 'bareArray', afterLast: 'lastPage' }, search(2, 60), whole],
	[{ noRows: 'null' }, search(2, 60), { preview_data: null }],
	[{ noRows: 'missing' }, search(1, 2), { preview_data: two }],

	[{ pageSize: 2 }, lookUp(three), { rows: '1 2', has_more: true, total_count: 3 }],
	[byUrl, lookUp(three), { rows: '', has_more: true, next_page: 2, total_count: 5 }],
];
test.each(examples)(
	'a service with the readings %j responds to %j with %j',
	(...[readings, request, expected, credits]) => {
		expect(respond(service(readings, credits), request)).toMatchObject(expected);
	},
);

const rowsAt = 'bareArray';
test.each<[Deviation, number, object, Partial<Readings>?]>([
	[{ otherPage: { asked: 3, page: 2 } }, 3, { page: 2 }],
	[{ emptyPage: 2 }, 2, { next_page: 3 }],
	[{ jump: { page: 3, next: 6 } }, 3, { next_page: 6 }],
	[{ largerPages: 20 }, 1, { per_page: 20 }],
	[{ firstPageFrom: 2 }, 2, { body: { length: 10 } }],
	[{ firstPageFrom: 2, namesFirstPage: true }, 3, { page: 1, rows: '0-9', next_page: 2 }],
])('the deviation %j shows on page %i as %j, even if paging fields are missing', (...row) => {
	const [deviation, page, expected, readings = { rowsAt }] = row;
	const deviating = service({ missing: ['has_more'], ...readings }, 100, deviation);
	expect(respond(deviating, search(page, 10))).toMatchObject(expected);
});
