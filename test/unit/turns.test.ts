/** Who waits for whom, and until when. */
import { inTurn } from '../../nodes/LeadSearch/execution/turns';

/** Something under way that ends when it is told to. */
function begin(how?: Parameters<typeof inTurn>[2]) {
	let end: (() => void) | undefined;
	let hasBegun = false;
	const ended = inTurn(
		'key',
		async () => {
			hasBegun = true;
			await new Promise<void>((resolve) => {
				end = resolve;
			});
		},
		how,
	);
	return { ended, hasBegun: () => hasBegun, end: () => end?.() };
}

const soon = async () => {
	await new Promise(setImmediate);
};

test('one waits for another, says so, and waits no longer once it is cancelled', async () => {
	const first = begin();
	const onWait = jest.fn();
	const stop = new AbortController();
	const second = begin({ signal: stop.signal, onWait });
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

test('what waits for the cancelled alone waits for nothing else', async () => {
	const stop = new AbortController();
	const cancelled = begin({ signal: stop.signal });
	await soon();
	const other = begin({ waitsForAll: false });
	await soon();
	stop.abort();
	const next = begin({ waitsForAll: false });
	await soon();
	expect([other.hasBegun(), next.hasBegun()]).toEqual([true, false]);
	cancelled.end();
	await cancelled.ended;
	await soon();
	expect(next.hasBegun()).toBe(true);
	for (const one of [other, next]) one.end();
	await Promise.all([other.ended, next.ended]);
});
