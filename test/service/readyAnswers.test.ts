/** A service that keeps its answers ready answers and charges like one that doesn't. */
import { startService, type LeadService, type SearchRequest } from '../../sandbox/service';
import { search } from './client';

let keeping: LeadService;
let usual: LeadService;
beforeAll(async () => {
	[keeping, usual] = await Promise.all([startService({ keepsAnswers: true }), startService()]);
});
afterAll(async () => {
	await Promise.all([keeping.close(), usual.close()]);
});

const question: SearchRequest = { _page: 2, _per_page: 10, _include_raw: false };

async function ask(service: LeadService, account: { apiKey: string }, body = question) {
	return await search(service.baseUrl, account.apiKey, body);
}

test('The same question gets the same answer again, whoever asks, and is charged each time', async () => {
	const accounts = [keeping.admin.createAccount(), keeping.admin.createAccount()] as const;
	const expected = await ask(usual, usual.admin.createAccount());
	for (const account of [accounts[0], accounts[0], accounts[1]]) {
		expect(await ask(keeping, account)).toEqual(expected);
	}
	expect(accounts.map(({ spent }) => spent.apiCredits)).toEqual([20, 10]);
	expect(accounts[0].chargedLeads).toEqual(
		accounts[1].chargedLeads.concat(accounts[1].chargedLeads),
	);
	expect(keeping.admin.requests({ account: accounts[1].id })[0]).toMatchObject({
		rows: 10,
		charged: 10,
	});
});

test('The order of the fields does not matter, their values do', async () => {
	const account = keeping.admin.createAccount();
	const first = await ask(keeping, account);
	expect(await ask(keeping, account, { _include_raw: false, _per_page: 10, _page: 2 })).toEqual(
		first,
	);
	expect(await ask(keeping, account, { ...question, _page: 3 })).not.toEqual(first);
});

test('A low balance cuts the page all the same', async () => {
	await ask(keeping, keeping.admin.createAccount());
	const poor = keeping.admin.createAccount({ apiCredits: 3 });
	expect((await ask(keeping, poor)).body.count).toBe(3);
	expect((await ask(keeping, poor)).status).toBe(402);
	expect((await ask(keeping, keeping.admin.createAccount())).body.count).toBe(10);
});

test('Behaviours and faults bend the answer all the same', async () => {
	const account = keeping.admin.createAccount();
	await ask(keeping, account);
	const small = keeping.admin.createAccount({ leads: 15 });
	expect((await ask(keeping, small)).body.count).toBe(5);
	keeping.admin.addFault({ kind: 'merge', merge: { message: 'bent' }, account: account.id });
	expect((await ask(keeping, account)).body.message).toBe('bent');
});
