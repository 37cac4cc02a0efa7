/** Which page is asked for next. */
import { LeadJob, type WantedLeads } from '../../nodes/LeadSearch/paging/leadJob';
import { ANY, listAfter, orderOf, type Start } from './script';

const FREE = { isPaid: false };

function open(answers: string[], wanted: Partial<WantedLeads> = {}, start?: Start) {
	const { list } = listAfter(answers, start);
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 100, ...wanted });
	const next = (room = Infinity) => {
		const order = job.next(room);
		if (typeof order === 'string') return order;
		list.reserve(order);
		return `${order.purpose} ${order.first} ${order.size} ${order.page}`;
	};
	return { list, next };
}

/** Purpose, first row, size and number of each page that is asked for before an answer comes. */
test.each<[string, string[], string[], Partial<WantedLeads>?, Start?]>([
	['the first page, alone', ['rows 0 100 1', 'wait'], []],
	['as many rows as wanted', ['rows 0 7 1', 'wait'], [], { limit: 7 }],
	['nothing once they are there', ['limit'], ['1/100 0-99'], { limit: 100 }],
	[
		'the next page, and whether later ones are free',
		['rows 100 100 2', 'price 1000000000 1 1000000001', 'wait'],
		['1/100 0-99'],
	],
	[
		'then several',
		['rows 100 100 2', 'rows 200 100 3', 'rows 300 50 7', 'limit'],
		['1/100 0-99', '100001/1#'],
		{ limit: 350 },
	],
	[
		'several at once of what is free',
		['rows 100 100 2', 'rows 200 100 3'],
		['1/100 0-99'],
		{},
		FREE,
	],
	[
		'one at a time where the last page comes again',
		['rows 100 25 5', 'wait'],
		['1/100 0-99', '100001/1# 149 as 150'],
	],
	['after a short page, whether there are more', ['end 60 60 2', 'wait'], ['1/100 0-59']],
	['one row where it said that there are none', ['end 60 1 61', 'wait'], ['1/100 0-59 last']],
	['nothing after the end', ['whole'], ['1/100 0-59', '61/1?']],
	[
		'pages of the size that is named',
		['rows 20 10 3', 'price 1000000000 1 1000000001'],
		['1/50 0-9 per 10 more', '2/10 10-19'],
	],
	['what Skip leaves', ['rows 200 25 9', 'wait'], [], { skip: 200 }],
	[
		'the price of later pages, where many rows are wanted',
		['price 1000000000 1 1000000001', 'wait'],
		['9/25 200-224'],
		{ skip: 200, pageSize: 1_000 },
	],
	[
		'then the page size, where it is free',
		['size 1000000000 1000 1000001', 'wait'],
		['9/25 200-224', '1000000001/1#'],
		{ skip: 200, pageSize: 1_000 },
	],
	[
		'or where the last page is wanted, should it come once more',
		['size 1000000000 1000 1000001', 'wait'],
		['9/25 200-224', '1000000001/1# 999 as 1000'],
		{ skip: 200, pageSize: 1_000 },
	],
	[
		'but not for a few',
		['rows 225 25 10', 'wait'],
		['9/25 200-224', '1000000001/1# 999 as 1000'],
		{ skip: 200, pageSize: 1_000, limit: 500 },
	],
	[
		'not where few are',
		['rows 225 25 10', 'price 1000000000 1 1000000001'],
		['9/25 200-224'],
		{ skip: 200, limit: 125, pageSize: 1_000 },
	],
	['pages that begin at the row', ['rows 30 30 2', 'price 1000000000 1 1000000001'], ['1/30 0-29']],
	[
		'what is between rows that are there',
		['rows 25 25 2', 'rows 75 25 4'],
		['1/25 0-24', '3/25 50-74', '100001/1#'],
	],
	['the first row of what may be elsewhere', ['end 100 1 101', 'wait'], ['2/100 100-129'], {}, ANY],
	['of what is wanted of it', ['end 110 1 111', 'wait'], ['2/100 100-129'], { skip: 110 }, ANY],
	['not of what comes before', ['end 130 26 6', 'wait'], ['2/100 100-129'], { skip: 130 }, ANY],
	['nor after', ['rows 0 30 1', 'wait'], ['2/100 100-129'], { limit: 100 }, ANY],
	['not where nobody wants it', ['rows 0 25 1', 'wait'], ['2/100 100-129'], { limit: 25 }, ANY],
	[
		'a size that is not proven, alone',
		['rows 200 100 3', 'wait'],
		['5/40 160-199', '100001/1#'],
		{ skip: 160 },
		{ sizes: { served: 40, most: 100_000 } },
	],
	['no more than any search reaches', ['rows 99975 25 4000', 'wait'], [], { skip: 99_975 }],
	['nothing after that', ['maxResults'], ['100000/1 99999'], { skip: 99_999 }],
])('%s', (_, expected, answers, ...[wanted, start]) => {
	const { next } = open(answers, wanted, start);
	expect(expected.map(() => next())).toEqual(expected);
});

test('what may be spent', () => {
	const { next } = open(['1/100 0-99']);
	expect([next(0), next(30), next(0)]).toEqual(['budget', 'rows 100 25 5', 'budget']);
});

test('half as much for each answer that was lost', () => {
	const { list, next } = open(['1/100 0-99']);
	for (const isSlow of [true, true, false]) list.countTry(orderOf('2/100'), isSlow);
	expect(next()).toBe('rows 100 25 5');
});
