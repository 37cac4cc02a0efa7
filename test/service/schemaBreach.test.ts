import { startService } from '../../sandbox/service';
import type * as Leads from '../../sandbox/service/data/leads';
import { search, someText } from './client';

jest.mock('../../sandbox/service/data/leads', () => {
	const real = jest.requireActual<typeof Leads>('../../sandbox/service/data/leads');
	const leadAt = (lead: number) => ({ ...real.leadAt(lead), work_email: 'no address' });
	return { ...real, leadAt };
});

test('an answer that leaves its schema becomes a 500, is recorded, and costs nothing', async () => {
	const service = await startService();
	const { baseUrl, admin } = service;
	const account = admin.createAccount();
	const { status, body } = await search(baseUrl, account.apiKey);
	await service.close();
	expect(status).toBe(500);
	expect(body).toEqual({ success: false, message: someText });
	expect(admin.requests()).toMatchObject([{ status: 500, charged: 0, rows: 0 }]);
	const problems: unknown = expect.stringContaining('work_email');
	expect(admin.schemaBreaches()).toEqual([{ path: '/api/public/search', problems }]);
	expect(account.spent.apiCredits).toBe(0);
});
