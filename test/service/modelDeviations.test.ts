/** Each thing that no supported service does, once: what comes, and that it is charged. */
import type { Deviation } from '../../sandbox/service/model';
import { lookUp, preview, search, service } from './model';

type Asked = [page: number, size: number];
test.each<[string, Deviation, Asked, object]>([
	['another page', { otherPage: { asked: 3, page: 2 } }, [3, 10], { rows: '10-19', page: 2 }],
	['the page asked for', { otherPage: { asked: 3, page: 2 } }, [2, 10], { rows: '10-19' }],
	['page 1 again', { firstPageFrom: 2 }, [2, 25], { rows: '0-24', page: 2 }],
	['page 1 for ever', { firstPageFrom: 2 }, [9, 25], { rows: '0-24', page: 9 }],
	['smaller pages', { smallerPages: { from: 3, size: 8 } }, [3, 10], { rows: '16-23', page: 3 }],
	['not yet', { smallerPages: { from: 3, size: 8 } }, [2, 10], { rows: '10-19' }],
	['more rows', { moreRows: 5 }, [2, 10], { rows: '10-24', per_page: 10, next_page: 3 }],
	['larger pages', { largerPages: 20 }, [2, 10], { rows: '20-39', per_page: 20 }],
	['a larger per_page', { largerPages: 100 }, [1, 70], { rows: '0-59', per_page: 100 }],
	['an empty last page', { emptyPage: 6 }, [6, 10], { count: 0, has_more: true }],
	['an empty page', { emptyPage: 2 }, [2, 10], { count: 0, rows: '', has_more: true }],
	['a jump', { jump: { page: 3, next: 6 } }, [3, 10], { rows: '20-29', next_page: 6 }],
	['no jump at the end', { jump: { page: 6, next: 9 } }, [6, 10], { next_page: null }],
	['a filtered page', { filteredEvery: 3 }, [1, 4], { rows: '1 2', has_more: true, page: 1 }],
])('%s: %j asked for %j', (_, deviation, [page, size], expected) => {
	const deviating = service({ afterLast: 404 }, 100, deviation);
	expect(search(deviating, page, size)).toMatchObject({ status: 200, ...expected });
	const { rows } = preview(service({}, 0, deviation), page, size);
	expect(expected).toMatchObject('rows' in expected ? { rows } : {});
});

test('a field that shows the deviation is there, whatever else is missing', () => {
	const told = (deviation: Deviation, page: number) =>
		search(service({ rowsAt: 'bareArray', missing: ['has_more'] }, 100, deviation), page, 10);
	expect(told({ otherPage: { asked: 3, page: 2 } }, 3)).toMatchObject({ page: 2 });
	expect(told({ emptyPage: 2 }, 2)).toMatchObject({ has_more: true });
	expect(told({ jump: { page: 3, next: 6 } }, 3)).toMatchObject({ next_page: 6 });
	expect(told({ filteredEvery: 3 }, 1)).toMatchObject({ has_more: true });
	expect(told({ largerPages: 20 }, 1)).toMatchObject({ per_page: 20 });
	expect(told({ firstPageFrom: 2 }, 2).body).toHaveLength(10);
	const echoing = service({ perPage: 'asked' }, 100, { largerPages: 20 });
	expect(search(echoing, 1, 10)).toMatchObject({ per_page: 20 });
	const counting = service({ perPage: 'rowsOnLastPage' }, 100, { moreRows: 5 });
	expect(search(counting, 1, 10)).toMatchObject({ per_page: 10, count: 15 });
});

test.each([
	['null', { count: 3, preview_data: null }, { count: 3, data: null }],
	['results', { results: [{}, {}, {}] }, { results: [{}, {}, {}] }],
	['summary', { ok: 1 }, { ok: 1 }],
] as const)('rows that are charged and hidden: %s', (hiddenRows, searched, found) => {
	const hiding = service({}, 100, { hiddenRows });
	const { body } = search(hiding, 1, 3);
	expect(body).toMatchObject(searched);
	expect(lookUp(hiding, [0, 1, 2]).body).toMatchObject(found);
	if (hiddenRows !== 'null') expect(body).not.toHaveProperty('preview_data');
	expect(hiding).toMatchObject({ credits: 94, charged: [0, 1, 2, 0, 1, 2] });
});
