/** Services that take long in real time: a clear message, no endless wait, and no lost leads. */
import { continueOnError, first, useService, type Fault } from '../node/useService';

const { customer } = useService();

/** Seconds: long enough for the normal pages, even on a busy machine. */
const timeout = 20;

test.each<[string, Fault]>([
	[
		'The response is larger than 5 MB; the request may have been charged',
		{ kind: 'endless', isFast: true },
	],
	[
		'No complete response came within 20 seconds; the request may have been charged',
		{ kind: 'endless' },
	],
	[
		'Not enough API credits (402): the credits ran out after 100 leads, and there may be more',
		{ kind: 'endless', status: 402 },
	],
])('the message "%s" follows the leads of two normal pages before %j', async (message, fault) => {
	const { search } = customer({ faults: [{ ...fault, page: 3, perPage: 50 }] });
	const options = { pageSize: 50, parallelPages: 1, maxRetries: 0, timeout };
	const { urls, errors, pages } = await search({ returnAll: true, options }, continueOnError);
	expect(urls).toHaveLength(100);
	expect(errors).toMatchObject([{ error: message }]);
	expect(pages).toHaveLength(3);
});

test('a lookup of 100,002 URLs sends all of them in requests that the service accepts', async () => {
	const { lookUpAll, requests } = customer();
	const [one = '', two = ''] = first(2);
	const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
	const { urls } = await lookUpAll([one, ...nobodies, two], {}, { pageSize: 100_000 });
	expect(urls).toEqual([one, two]);
	expect(requests().filter(({ status }) => status !== 200)).toEqual([]);
});
