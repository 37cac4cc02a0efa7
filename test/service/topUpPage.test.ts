/** Tests the page on which a user of `npm start` gets more made-up credits. */
import { request } from 'undici';
import { TOP_UP_PATH } from '../../sandbox/service';
import { search, useService } from './client';

const service = useService();

async function call(form?: Record<string, string>) {
	const { statusCode, headers, body } = await request(service.baseUrl + TOP_UP_PATH, {
		method: form ? 'POST' : 'GET',
		headers: form && { 'content-type': 'application/x-www-form-urlencoded' },
		body: form && new URLSearchParams(form).toString(),
	});
	return { status: statusCode, location: headers.location, text: await body.text() };
}

test('an account without credits gets 1,000 credits from the button in its row, and can search again', async () => {
	const { admin, baseUrl } = service;
	const { apiKey } = admin.account('none');
	expect((await search(baseUrl, apiKey)).status).toBe(402);
	const { text } = await call();
	expect(text).toMatch(/sandbox-key-none.*>0<.*sandbox-session-none.*>0</);
	expect(text).toContain('Add 1,000 credits');
	const added = { status: 303, location: TOP_UP_PATH };
	expect(await call({ account: 'none', action: 'add' })).toMatchObject(added);
	expect(admin.account('none')).toMatchObject({ apiCredits: 1_000, subscriptionCredits: 1_000 });
	expect((await call()).text).toMatch(/sandbox-key-none.*>1,000</);
	expect((await search(baseUrl, apiKey)).body.count).toBe(25);
	expect(admin.account('few').apiCredits).toBe(60);
});

test('a button leaves an account with at most 10 credits, so that a user sees a 402', async () => {
	const { admin } = service;
	await call({ account: 'plenty', action: 'leaveFew' });
	expect(admin.account('plenty')).toMatchObject({ apiCredits: 10, subscriptionCredits: 10 });
	const empty = admin.createAccount({ apiCredits: 0 });
	await call({ account: empty.id, action: 'leaveFew' });
	expect(empty.apiCredits).toBe(0);
});

test('a request with an unknown account, an unknown action or no form gets a 400 and changes nothing', async () => {
	const before = JSON.stringify(service.admin.accounts());
	expect((await call({ account: 'nobody', action: 'add' })).status).toBe(400);
	expect((await call({ account: 'few', action: 'toString' })).status).toBe(400);
	expect((await call({ account: 'few' })).status).toBe(400);
	const noForm = await request(service.baseUrl + TOP_UP_PATH, { method: 'POST' });
	expect(noForm.statusCode).toBe(400);
	await noForm.body.dump();
	expect(JSON.stringify(service.admin.accounts())).toBe(before);
});

test('the top-up page shows an API key as text, not as HTML', async () => {
	service.admin.createAccount({ id: '"><b>', apiKey: '<i>key</i>' });
	const { text } = await call();
	expect(text).toContain('&lt;i&gt;key');
	expect(text).not.toMatch(/<[bi]>/);
});

test('requests of the top-up page are not logged as requests to the service', async () => {
	const { length } = service.admin.requests();
	await call();
	await call({ account: 'few', action: 'add' });
	expect(service.admin.requests()).toHaveLength(length);
});
