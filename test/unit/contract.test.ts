/** What the contract fixes as numbers. */
import { priceOf } from '../../nodes/LeadSearch/api/contract';

test.each([
	[0, 0, 0],
	[1, 0, 0],
	[123, 0.36, 0.55],
	[5_000, 14.58, 22.5],
	[60_000, 175, 270],
])('%i credits cost from $%d to $%d', (credits, usdFrom, usdTo) => {
	expect(priceOf(credits)).toEqual({ credits, usdFrom, usdTo });
});
