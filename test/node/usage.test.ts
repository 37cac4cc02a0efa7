/** Tests Include Usage, which adds the cost of a run to each of its items. */
import {
	continueOnError,
	first,
	iceland as filters,
	createExecutionIds,
	useService,
} from './useService';

const { customer } = useService();
const includeUsage = true;
const usage = (credits: number, creditsSoFar: number, requests: number) => ({
	usage: { credits, creditsSoFar, requests },
});

test('with Include Usage, each lead has the cost of its run and of the execution so far, without reused leads', async () => {
	const { search } = customer();
	const execution = createExecutionIds();
	const buy = (limit: number) => search({ filters, limit, options: { includeUsage } }, execution);
	const { json } = await buy(2);
	expect(json).toMatchObject([usage(2, 2, 1), usage(2, 2, 1)]);
	expect(json[0]?.usage).not.toBe(json[1]?.usage);
	expect((await buy(5)).json).toMatchObject(Array(5).fill(usage(3, 5, 2)));
});

test("with Include Usage, each profile has the cost and the input fields, also if it wasn't found", async () => {
	const unknown = 'https://www.linkedin.com/in/nobody-at-all';
	const input = [...first(2), unknown].map((url, row) => ({ url, row }));
	const options = { includeUsage, unmatched: 'returnAsNotFound' };
	const parameters = { linkedinUrls: '={{ $json.url }}', includeInputFields: true, options };
	const { json } = await customer().lookUp(parameters, { input });
	expect(json).toMatchObject([0, 1, 2].map((row) => ({ row, ...usage(2, 2, 2) })));
});

test('with Include Usage, an error item has only the fields that n8n expects, without the cost', async () => {
	const { search } = customer({ apiCredits: 3 });
	const { json } = await search({ filters, limit: 5, options: { includeUsage } }, continueOnError);
	expect(json.slice(0, 3)).toMatchObject(Array(3).fill(usage(3, 3, 2)));
	expect(Object.keys(json[3] ?? {})).toEqual(['error', 'message', 'details']);
});
