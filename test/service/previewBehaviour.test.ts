/** Other readings of a preview than the mock service's usual one: it has no account to set them. */
import { leadAt, type Behaviour, type PreviewAnswer } from '../../sandbox/service';
import { preview, search, useService } from './client';

const service = useService();

async function ask(behaviour: Behaviour, _page: number, _per_page = 25) {
	service.admin.setPreviewBehaviour(behaviour);
	const { status, body } = await preview<PreviewAnswer>(service.baseUrl, { _page, _per_page });
	expect(status).toBe(200);
	return body;
}
const firstUrl = ({ preview_data }: PreviewAnswer) => preview_data[0]?.linkedin_url;
const urlOf = (lead: number) => leadAt(lead).linkedin_url;

describe('previews', () => {
	test('reach as far as the database', async () => {
		const answer = await ask({}, 4_800);
		expect(answer).toMatchObject({ count: 25, total_count: 120_000, has_more: false });
	});

	test('can stop after some rows', async () => {
		const answer = await ask({ leads: 100 }, 3, 40);
		expect(answer).toMatchObject({ count: 20, total_count: 100, has_more: false });
	});

	test('can keep pages at one size', async () => {
		const answer = await ask({ fixedPerPage: 10 }, 2);
		expect(answer).toMatchObject({ count: 10, per_page: 10, next_page: 3 });
		expect(firstUrl(answer)).toBe(urlOf(10));
	});

	test('can clamp pages', async () => {
		const answer = await ask({ clampPerPage: 20 }, 2);
		expect(answer).toMatchObject({ count: 20, per_page: 20, next_page: 3 });
		expect(await ask({ clampPerPage: 20 }, 2, 5)).toMatchObject({ count: 5, per_page: 5 });
	});

	test.each([
		['echo', 2],
		['one', 1],
	] as const)('can serve the first page for every number (%s)', async (ignoresPage, page) => {
		const answer = await ask({ ignoresPage }, 2);
		expect(answer).toMatchObject({ count: 25, page });
		expect(firstUrl(answer)).toBe(urlOf(0));
	});

	test('can send the following rows, too', async () => {
		const answer = await ask({ sendsExtra: 5 }, 2);
		expect(answer).toMatchObject({ count: 30, per_page: 25 });
		expect(firstUrl(answer)).toBe(urlOf(25));
	});

	test('can serve the last page again behind the end', async () => {
		const answer = await ask({ behindEnd: 'lastPage', leads: 30 }, 9);
		expect(answer).toMatchObject({ count: 5, page: 9, has_more: false });
		expect(firstUrl(answer)).toBe(urlOf(25));
	});

	test('can be bent, in their own shape or another', async () => {
		expect(await ask({ omits: ['page'] }, 1)).not.toHaveProperty('page');
		const other = await ask({ answerShape: 'otherName' }, 1, 1);
		expect(other).toMatchObject({ data: [{}], count: 1 });
	});

	test('follow the contract again where nothing is named, and searches always do', async () => {
		await ask({ fixedPerPage: 10 }, 1);
		const { apiKey } = service.admin.createAccount();
		expect((await search(service.baseUrl, apiKey)).body.count).toBe(25);
		expect(await ask({}, 1)).toMatchObject({ count: 25, per_page: 25 });
	});
});
