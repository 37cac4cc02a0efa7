/** Which page is asked for next. */
import { LeadJob, type LeadTarget } from '../../nodes/LeadSearch/paging/leadJob';
import { leads, listAfter, orderOf } from './script';

function open(answers: string[], wanted: Partial<LeadTarget> = {}) {
	const { list } = listAfter(answers);
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 100, ...wanted });
	const next = (room = Infinity) => {
		const order = job.next(room);
		if (typeof order === 'string') return order;
		list.reserve(order);
		const text = `${order.page}/${order.size}${order.purpose === 'question' ? '?' : ''}`;
		expect(order).toMatchObject(orderOf(text));
		return text;
	};
	return next;
}

/** The pages that are asked for before an answer comes, and the answers that came before. */
test.each<[string, string[], string[], Partial<LeadTarget>?]>([
	['the first page, alone', ['1/100', 'wait'], []],
	['as many rows as wanted', ['1/7', 'limit'], [], { limit: 7 }],
	['nothing once they are there', ['limit'], ['1/100 0-99'], { limit: 100 }],
	['then several', ['2/100', '3/100', '7/50', 'limit'], ['1/100 0-99'], { limit: 350 }],
	['after a short page, whether there are more', ['61/1?', 'wait'], ['1/100 0-59']],
	['also where it said more', ['136/1?', 'wait'], ['1/100 0-99', '2/100 100-134 more']],
	['also where page 1 said more', ['61/1?', 'wait'], ['1/100 0-59 more']],
	['nothing after the end', ['whole'], ['1/100 0-59', '61/1?']],
	['what Skip leaves, alone', ['3/100', 'wait'], [], { skip: 200 }],
	['then several in that size', ['4/100', '5/100'], ['3/100 200-299'], { skip: 200 }],
	['in growing pages, each alone', ['2/100', 'wait'], ['1/50 0-49', '2/50 50-99']],
	['pages that begin at the row', ['2/30', 'wait'], ['1/30 0-29']],
	['what lies between known rows', ['2/25', '4/25'], ['1/25 0-24', '3/25 50-74'], { pageSize: 25 }],
	['no more than any search reaches', ['4000/25', 'maxResults'], [], { skip: 99_975 }],
	['nothing after that', ['maxResults'], ['100000/1 99999'], { skip: 99_999 }],
])('%s', (_, expected, answers, ...[wanted]) => {
	const next = open(answers, wanted);
	expect(expected.map(() => next())).toEqual(expected);
});

test('what may be spent', () => {
	const next = open(['1/100 0-99']);
	expect([next(0), next(30), next(0)]).toEqual(['budget', '5/25', 'budget']);
});

test('what lies before a page that is on its way, and no more', () => {
	const { list } = listAfter(['1/25 0-24']);
	list.reserve(orderOf('3/25'));
	list.settle(orderOf('4/25'), { rows: leads('75-99') });
	list.settle(orderOf('2/25'), { rows: leads('25-39') });
	const job = new LeadJob(list, { skip: 0, limit: Infinity, pageSize: 25 });
	expect(job.next(Infinity)).toMatchObject(orderOf('5/10'));
});
