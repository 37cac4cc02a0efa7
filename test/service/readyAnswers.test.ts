/** A service that keeps its answers ready answers and charges like one that doesn't. */
import { search, useService } from './client';

const keeping = useService({ keepsAnswers: true });
const usual = useService();
const question = { _page: 2, _per_page: 10, _include_raw: false };

test('the same question gets the same answer again, whoever asks, and is charged each time', async () => {
	const expected = await search(usual.baseUrl, 'sandbox-key-plenty', question);
	const accounts = [keeping.admin.createAccount(), keeping.admin.createAccount()] as const;
	for (const { apiKey } of [accounts[0], accounts[0], accounts[1]])
		expect(await search(keeping.baseUrl, apiKey, question)).toEqual(expected);
	expect(accounts.map(({ spent }) => spent.apiCredits)).toEqual([20, 10]);
	expect(accounts[0].chargedLeads).toHaveLength(20);
	const [logged] = keeping.admin.requests({ account: accounts[1].id });
	expect(logged).toMatchObject({ rows: 10, charged: 10 });
	const other = await search(keeping.baseUrl, accounts[0].apiKey, { ...question, _page: 3 });
	expect(other).not.toEqual(expected);
});
