/**
 * Polls with n8n's durable scheduler and cursors on: a context for each poll, and the node's own data
 * are all that n8n keeps of a poll without leads. A process has either these polls or the others.
 */
import { openTrigger } from './pollCore';
import { icelanders as people, status, useService } from './useService';

const shared = useService();

async function open() {
	const opened = await openTrigger(shared);
	opened.workflow.keepDurably();
	return opened;
}

test('a poll for which n8n has read the place before the one before ended fetches nothing', async () => {
	const { workflow, poll, spent } = await open();
	const before = workflow.copies();
	await poll();
	const saved = workflow.copies();
	workflow.setCopies(before);
	expect(await poll()).toEqual([]);
	workflow.setCopies(saved);
	expect(await poll()).toEqual(people.slice(20, 40));
	expect(spent()).toBe(40);
});

test('what stops a poll is thrown, so that n8n waits as it declares', async () => {
	const { workflow, poll, addFault } = await open();
	addFault(status(429, { headers: { 'retry-after': '600' } }));
	await expect(poll()).rejects.toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 600_000 },
	});
	expect(workflow.told).toEqual([]);
});
