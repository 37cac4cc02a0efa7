/** Which page is asked for next. */
import { LeadJob, type WantedLeads } from '../../nodes/LeadSearch/paging/leadJob';
import { ANY, listAfter, orderOf, type Start } from './script';

function open(answers: string[], wanted: Partial<WantedLeads> = {}, start?: Start) {
	const { list } = listAfter(answers, start);
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 100, ...wanted });
	const next = (room = Infinity) => {
		const order = job.next(room);
		if (typeof order === 'string') return order;
		list.reserve(order);
		const text = `${order.page}/${order.size}${{ beyond: '#', end: '?', place: '=', rows: '', again: '' }[order.purpose]}`;
		expect(order).toMatchObject(orderOf(text));
		return text;
	};
	return next;
}

const MANY = { skip: 200, pageSize: 1_000 };
const LAST_AGAIN = ['9/25 200-224', '1000000001/1# 999 as 1000'];

/** The pages that are asked for before an answer comes, and the answers that came before. */
test.each<[string, string[], string[], Partial<WantedLeads>?, Start?]>([
	['the first page, alone', ['1/100', 'wait'], []],
	['as many rows as wanted', ['1/7', 'limit'], [], { limit: 7 }],
	['nothing once they are there', ['limit'], ['1/100 0-99'], { limit: 100 }],
	['the next page, and if later ones are free', ['2/100', '1000000001/1#', 'wait'], ['1/100 0-99']],
	[
		'then several',
		['2/100', '3/100', '7/50', 'limit'],
		['1/100 0-99', '100001/1#'],
		{ limit: 350 },
	],
	['after a short page, whether there are more', ['2/60?', 'wait'], ['1/100 0-59']],
	['one row where it said that there are none', ['61/1?', 'wait'], ['1/100 0-59 last']],
	['nothing after the end', ['whole'], ['1/100 0-59', '61/1?']],
	['what Skip leaves', ['9/25', 'wait'], [], { skip: 200 }],
	[
		'the price of later pages, where many rows are wanted',
		['1000000001/1#'],
		['9/25 200-224'],
		MANY,
	],
	['then the page size', ['1000001/1000#'], ['9/25 200-224', '1000000001/1#'], MANY],
	['also of a last page that is wanted', ['1000001/1000#'], LAST_AGAIN, MANY],
	['but not of one that is not', ['10/25', 'wait'], LAST_AGAIN, { ...MANY, limit: 500 }],
	['pages that begin at the row', ['2/30', '1000000001/1#'], ['1/30 0-29']],
	['what lies between known rows', ['2/25', '4/25'], ['1/25 0-24', '3/25 50-74', '100001/1#']],
	['the first row of what may be elsewhere', ['101/1=', 'wait'], ['2/100 100-129'], {}, ANY],
	['also where others are wanted', ['101/1=', 'wait'], ['2/100 100-129'], { limit: 50 }, ANY],
	['not where none is wanted', ['limit'], ['2/100 100-129', '1/25 0-24'], { limit: 25 }, ANY],
	['an unproven size, alone', ['3/100', 'wait'], ['5/40 160-199', '100001/1#'], { skip: 160 }, ANY],
	['no more than any search reaches', ['4000/25', 'maxResults'], [], { skip: 99_975 }],
	['nothing after that', ['maxResults'], ['100000/1 99999'], { skip: 99_999 }],
])('%s', (_, expected, answers, ...[wanted, start]) => {
	const next = open(answers, wanted, start);
	expect(expected.map(() => next())).toEqual(expected);
});

test('what may be spent', () => {
	const next = open(['1/100 0-99']);
	expect([next(0), next(30), next(0)]).toEqual(['budget', '5/25', 'budget']);
});
