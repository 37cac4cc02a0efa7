/** A poll and a node of the same account that ask for the same search. */
import { fakeDates, openTrigger } from './pollCore';
import { icelanders, useService } from './useService';

const shared = useService();

beforeAll(() => {
	fakeDates();
});
afterAll(() => {
	jest.useRealTimers();
});

test('a poll delivers for nothing what a node has bought within the hour, and the other way round', async () => {
	const { poll, workflow, search, spent } = await openTrigger(shared, {
		simplify: true,
	});
	const credential = { credentialId: workflow.credentialId };
	await search({ limit: 30 }, credential);
	expect(spent()).toBe(30);
	expect(await poll()).toEqual(icelanders.slice(0, 20));
	expect(await poll()).toEqual(icelanders.slice(20, 40));
	expect(spent()).toBe(40);
	const { urls } = await search({ limit: 40 }, credential);
	expect(urls).toEqual(icelanders.slice(0, 40));
	expect(spent()).toBe(40);
});
