/** What takes real time, or much of it: a clear message, no endless wait, nothing lost. */
import { continues, first, useService, type Fault } from '../node/useService';

const { customer } = useService();

/** Long enough for each of the good pages, however busy the machine is. */
const timeout = 20;

test.each<[string, Fault]>([
	['The answer has more than 5 MB; it may have been charged', { kind: 'endless', isFast: true }],
	['No complete answer within 20 seconds; it may have been charged', { kind: 'endless' }],
	[
		'Not enough API credits (402): 100 leads came, then the credits ran out. There may be more',
		{ kind: 'endless', status: 402 },
	],
])('%s: what two good pages held before %j comes out', async (message, fault) => {
	const { search } = customer({ faults: [{ ...fault, page: 3, perPage: 50 }] });
	const options = { pageSize: 50, parallelPages: 1, maxRetries: 0, timeout };
	const { urls, errors, pages } = await search({ returnAll: true, options }, continues);
	expect(urls).toHaveLength(100);
	expect(errors).toMatchObject([{ error: message }]);
	expect(pages).toHaveLength(3);
});

test('100,002 URLs are looked up in as many requests as they need', async () => {
	const { lookUpAll, requests } = customer();
	const [one = '', two = ''] = first(2);
	const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
	const { urls } = await lookUpAll([one, ...nobodies, two], {}, { pageSize: 100_000 });
	expect(urls).toEqual([one, two]);
	expect(requests().filter(({ status }) => status !== 200)).toEqual([]);
});
