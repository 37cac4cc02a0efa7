import type { Behaviour } from '../../sandbox/service';
import { jsonOf, pairsOf, useService } from './useService';

const shared = useService();
const { customer } = shared;
const iceland = { personLocationCountry: 'Iceland' };

afterEach(() => {
	shared.service.admin.setPreviewBehaviour({});
});

test('a preview returns leads, needs no credential and sends none', async () => {
	const visitor = customer();
	const { items, error } = await visitor.preview({ filters: iceland, limit: 30 });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(30);
	expect(pairsOf(items)).toEqual(items.map(() => 0));
	const [request] = visitor.requests();
	expect(request?.path).toBe('/api/preview');
	expect(request?.headers).not.toHaveProperty('authorization');
	expect(request?.headers).not.toHaveProperty('x-api-key');
});

test('a preview never sends the credential that the node has for its other operations', async () => {
	const visitor = customer();
	const { items } = await visitor.search({
		operation: 'preview',
		baseUrl: shared.service.baseUrl,
		limit: 1,
	});
	expect(items).toHaveLength(1);
	const request = shared.service.admin.requests({ path: '/api/preview' }).at(-1);
	expect(request).toMatchObject({ account: null, headerStyle: null });
});

test('Return All pages through a preview', async () => {
	const visitor = customer();
	const { items } = await visitor.preview({
		filters: iceland,
		returnAll: true,
		options: { parallelPages: 1 },
	});
	expect(items).toHaveLength(2_350);
	expect(visitor.requests().map(({ perPage }) => perPage)).toEqual(Array(24).fill(100));
	expect(visitor.account.spent).toEqual({ apiCredits: 0, subscriptionCredits: 0 });
});

const shapes = ['contract', 'otherName', 'leads', 'results', 'bareArray'] as const;
test.each<Behaviour['answerShape']>(shapes)(
	'leads are found in an answer of the shape %s',
	async (answerShape) => {
		shared.service.admin.setPreviewBehaviour({ answerShape });
		const { items, error } = await customer().preview({ filters: iceland, limit: 150 });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(150);
		expect(items[0]?.json).toHaveProperty('full_name');
	},
);

test('an answer of a shape nobody knows is handed on whole, as one item', async () => {
	const visitor = customer();
	shared.service.admin.addFault({
		path: '/api/preview',
		kind: 'raw',
		body: '{"audience": {"size": 7}}',
		contentType: 'application/json',
	});
	const { items } = await visitor.preview({ returnAll: true });
	expect(jsonOf(items)).toEqual([{ audience: { size: 7 } }]);
	expect(visitor.requests()).toHaveLength(1);
});

test('a preview that answers with the same page again and again ends', async () => {
	const visitor = customer();
	shared.service.admin.addFault({
		path: '/api/preview',
		kind: 'raw',
		body: JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id }))),
		contentType: 'application/json',
		times: 'always',
	});
	const { error } = await visitor.preview({ returnAll: true, options: { parallelPages: 1 } });
	shared.service.admin.clearFaults();
	expect(error?.message).toBe(
		'The lead service sent an unexpected answer: it answered page 2 with rows that had come before',
	);
	expect(visitor.requests()).toHaveLength(2);
});

test('Email Status is for paid search only', async () => {
	const visitor = customer();
	await visitor.preview({ limit: 1, filters: { emailStatus: 'verified' } });
	expect(visitor.requests()[0]?.body).toEqual({ _page: 1, _per_page: 1 });
});
