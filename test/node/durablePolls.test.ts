/**
 * Polls with n8n's durable scheduler and cursors on: a context for each poll, and the node's own data
 * are all that n8n keeps of a poll without leads. A process has either these polls or the others.
 */
import { fakeDates, openTrigger } from './pollCore';
import { icelanders as people, merge, useService } from './useService';

const shared = useService();

afterEach(() => {
	jest.useRealTimers();
});

async function open() {
	const opened = await openTrigger(shared);
	opened.workflow.keepDurably();
	return opened;
}

test('a poll for which n8n has read the cursor before the one before ended goes on after it', async () => {
	const { workflow, poll, spent } = await open();
	const before = workflow.copies();
	await poll();
	workflow.setCopies(before);
	expect(await poll()).toEqual(people.slice(20, 40));
	expect(spent()).toBe(40);
});

test('after anything unexpected polls ask once a day', async () => {
	const { poll, addFault, spent, workflow } = await open();
	await poll();
	const fault = addFault({ ...merge({ page: 9 }), times: 'always' });
	expect(await poll()).toHaveLength(20);
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
	workflow.restart();
	expect(await poll()).toEqual([]);
	expect(spent()).toBe(40);
	fault.remove();
	fakeDates(Date.now() + 24 * 3_600_000);
	expect(await poll()).toEqual(people.slice(20, 40));
});
