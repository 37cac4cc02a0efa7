/** Promise 4, "at once": a run that finds all it wants waits for nobody. */
import { EventEmitter, once } from 'node:events';

import { icelanders, useService } from './useService';

const shared = useService();

test('a small search beside a long one is served as soon as its rows are there, and pays nothing', async () => {
	const buyer = shared.node({ apiCredits: 10_000, leads: 300 });
	let sent = 0;
	const events = new EventEmitter();
	const held = once(events, 'go');
	const options = { pageSize: 60, parallelPages: 1 };
	const isOver = { long: false };
	const long = buyer
		.search(
			{ returnAll: true, options },
			{
				executionId: 'long',
				beforeRequest: async () => {
					sent += 1;
					if (sent > 2) await held;
				},
			},
		)
		.then((result) => {
			isOver.long = true;
			return result;
		});
	while (sent < 1) await new Promise(setImmediate);
	const small = await buyer.search({ limit: 50 }, { executionId: 'small' });
	expect([small.urls, isOver.long]).toEqual([icelanders.slice(0, 50), false]);
	events.emit('go');
	const { urls } = await long;
	expect(urls).toHaveLength(300);
	expect(buyer.account.chargedLeads).toHaveLength(300);
});
