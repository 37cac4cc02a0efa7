/** Who waits for whom, and until when. */
import { inTurn } from '../../nodes/LeadSearch/execution/turns';

/** Something under way that ends when it is told to. */
function begin(claims: string[], how?: Parameters<typeof inTurn>[2]) {
	let end: (() => void) | undefined;
	let hasBegun = false;
	const act = async () => {
		hasBegun = true;
		await new Promise<void>((resolve) => {
			end = resolve;
		});
	};
	const ended = inTurn(new Set(claims), act, how);
	return { ended, hasBegun: () => hasBegun, end: () => end?.() };
}

const soon = async () => {
	await new Promise(setImmediate);
};

test('one waits for another, says so, and waits no longer once it is cancelled', async () => {
	const first = begin(['key']);
	const onWait = jest.fn();
	const stop = new AbortController();
	const second = begin(['key'], { signal: stop.signal, onWait });
	await soon();
	expect([first.hasBegun(), second.hasBegun(), onWait.mock.calls.length]).toEqual([true, false, 1]);
	stop.abort();
	await soon();
	expect(second.hasBegun()).toBe(true);
	second.end();
	await second.ended;
	first.end();
	await first.ended;
});

test('what has nothing in common goes at once, and what has waits for what began before alone', async () => {
	const all = [['a', 'b'], ['c'], ['b', 'd'], ['d', 'a'], ['e']].map((claims) => begin(claims));
	const begun = () => all.flatMap((one, index) => (one.hasBegun() ? [index] : []));
	const order = [];
	for (const index of [0, 2, 1, 3, 4]) {
		await soon();
		order.push(begun());
		all[index]?.end();
	}
	expect(order).toEqual([
		[0, 1, 4],
		[0, 1, 2, 4],
		[0, 1, 2, 3, 4],
		[0, 1, 2, 3, 4],
		[0, 1, 2, 3, 4],
	]);
	await Promise.all(
		all.map(async ({ ended }) => {
			await ended;
		}),
	);
});
