/** Promise 6: stop means stop; promise 2: what was paid for is told, and comes out where n8n keeps it. */
import { jsonOf, useService } from './useService';

const shared = useService();

const paged = {
	returnAll: true,
	filters: { personLocationCountry: 'Iceland' },
	options: { pageSize: 100, parallelPages: 1 },
};

test.each(['continueRegularOutput', 'stopWorkflow'] as const)(
	'a cancel during page 3 ends the run at once (On Error: %s)',
	async (onError) => {
		const buyer = shared.customer();
		const { id } = buyer.account;
		shared.service.admin.addFault({ account: id, page: 3, kind: 'hang', charge: true });
		const thirdPage = shared.service.admin.whenRequest(
			({ account, page }) => account === id && page === 3,
		);
		const { items, error } = await buyer.search(paged, { onError, cancelWhen: thirdPage });
		expect(buyer.requests()).toHaveLength(3);
		if (onError === 'stopWorkflow') {
			expect(error?.message).toBe('The execution was stopped');
			expect(error?.description).toContain("set 'Skip' (under Options) to 200.");
			expect(error?.description).toContain(
				'1 answer was lost or could not be used, for which up to 100 credits may have been charged.',
			);
		} else {
			expect(items).toHaveLength(201);
			const told = jsonOf(items)[200];
			expect(told?.error).toBe('The execution was stopped');
			expect(told?.message).toContain("set 'Skip' (under Options) to 200.");
			expect(told?.message).toContain('up to 100 credits may have been charged');
		}
	},
);

// The service asks to wait for longer than a test may take.
test('a cancel during the wait before a retry ends the wait', async () => {
	const buyer = shared.customer();
	const { id } = buyer.account;
	shared.service.admin.addFault({
		account: id,
		kind: 'status',
		status: 503,
		headers: { 'retry-after': '100' },
		times: 'always',
	});
	const refused = shared.service.admin
		.whenRequest(({ account }) => account === id)
		.then(async () => {
			await shared.service.admin.idle();
		});
	const { error } = await buyer.search(paged, { cancelWhen: refused });
	expect(error?.message).toBe('The execution was stopped');
	expect(buyer.requests()).toHaveLength(1);
});

test('a cancel while a preview is on its way cuts it off', async () => {
	const visitor = shared.customer();
	shared.service.admin.addFault({ path: '/api/preview', kind: 'hang' });
	const asked = shared.service.admin.whenRequest(({ path }) => path === '/api/preview');
	const { error } = await visitor.preview({ limit: 1 }, { cancelWhen: asked });
	expect(error?.message).toBe('The execution was stopped');
});
