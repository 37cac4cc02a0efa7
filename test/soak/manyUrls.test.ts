/** As many URLs as one request can carry, and more. */
import { first, useService } from '../node/useService';

const { customer } = useService();

test('100,002 URLs are looked up in as many requests as they need', async () => {
	const { lookUpAll, requests } = customer();
	const [one = '', two = ''] = first(2);
	const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
	const { urls } = await lookUpAll([one, ...nobodies, two], {}, { pageSize: 100_000 });
	expect(urls).toEqual([one, two]);
	expect(requests().filter(({ status }) => status !== 200)).toEqual([]);
});
