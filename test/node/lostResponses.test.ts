/**
 * Tests runs with lost responses, which may have been charged. Messages name the lost response as the reason, even if a
 * limit is used up because of it.
 */
import { createTrigger } from './pollCore';
import {
	continueOnError,
	icelandUrls,
	createExecutionIds,
	production,
	status,
	useService,
	type Fault,
} from './useService';

const shared = useService();
const { customer } = shared;

const gatewayTimeout = status(504, { body: '' });
const lostResponse: Fault = { kind: 'loseAfterAnswer' };
const maintenancePage = status(503, { body: '<html>Back at six</html>' });
const isSpent = /^'Max Credits' \(50 credits\) is spent, so nothing is returned$/;
const isGatewayTimeout = /is not answering \(504\); the request may have been charged$/;
const isLost = /^The connection was lost .*; the request may have been charged$/;

const budgets = {
	'no budget': [{}, {}],
	'Max Credits 50': [{ maxCredits: 50 }, {}],
	'Credit Ceiling 50': [{}, { credential: { creditCeiling: 50 } }],
} as const;

/** Each row searches for 50 leads in pages of 25. Continue returns `returned` of them. */
test.each<
	[name: string, keyof typeof budgets, returned: number, message: RegExp | undefined, Fault]
>([
	['one 504', 'no budget', 50, undefined, gatewayTimeout],
	['one 504', 'Max Credits 50', 25, isGatewayTimeout, gatewayTimeout],
	['one 504', 'Credit Ceiling 50', 25, isGatewayTimeout, gatewayTimeout],
	[
		'a 504 for the second page',
		'Max Credits 50',
		25,
		isGatewayTimeout,
		{ ...gatewayTimeout, page: 2 },
	],
	['only 504s', 'no budget', 0, isGatewayTimeout, { ...gatewayTimeout, times: 'always' }],
	['only 504s', 'Max Credits 50', 0, isGatewayTimeout, { ...gatewayTimeout, times: 'always' }],
	['a lost response', 'Max Credits 50', 25, isLost, lostResponse],
	['an unreadable response', 'no budget', 0, /can't be read/, { kind: 'wrongEncoding' }],
	['one 503', 'Max Credits 50', 50, undefined, maintenancePage],
	[
		'only 503s',
		'Max Credits 50',
		0,
		/not answering \(503\)$/,
		{ ...maintenancePage, times: 'always' },
	],
	['one 500', 'Credit Ceiling 50', 50, undefined, status(500)],
	[
		'a 402 for the second page',
		'Max Credits 50',
		25,
		/\(402\): .* after 25 leads/,
		status(402, { page: 2 }),
	],
])(
	'a search with %s and %s returns %i of 50 leads, and its error message is %s',
	async (...row) => {
		const [, budget, returned, message, fault] = row;
		const [parameters, run] = budgets[budget];
		const options = { pageSize: 25, parallelPages: 1 };
		const search = { limit: 50, options, ...parameters };
		const continued = await customer({ faults: [fault] }).search(search, {
			...run,
			...continueOnError,
		});
		expect(continued.urls).toHaveLength(returned);
		const [error] = continued.errors;
		const stopped = await customer({ faults: [fault] }).search(search, { ...run, ...production });
		expect(stopped.run.status).toBe(message ? 'error' : 'success');
		for (const shown of [error?.error, stopped.message])
			expect(shown).toEqual(message && expect.stringMatching(message));
	},
);

const firstPageLost = { ...lostResponse, page: 1 } as const;
const limits = { limit: 50, maxCredits: 50 };

test.each(['Max Credits 50', 'Credit Ceiling 50'] as const)(
	'later rounds of a loop name the lost response that has used up %s',
	async (budget) => {
		const [parameters, run] = budgets[budget];
		const buyer = customer({ faults: [firstPageLost] });
		const execution = { ...createExecutionIds(), ...run, ...production };
		for (let round = 0; round < 3; round++) {
			const { message, description } = await buyer.search({ limit: 50, ...parameters }, execution);
			expect(message).toMatch(isLost);
			expect(description).toContain(
				'1 response was lost or could not be used; up to 50 credits may have been charged.',
			);
			expect(description).toMatch(
				/ set 'Page Size' under Options to 25 or less\. .* have used up /,
			);
		}
		expect(buyer.requests()).toHaveLength(1);
	},
);

test('a node without lost responses says that the Credit Ceiling is spent, even if a response of another node has used it up', async () => {
	const { search } = customer({ faults: [firstPageLost] });
	const { executionId } = createExecutionIds();
	const run = { executionId, credential: { creditCeiling: 50 }, ...production };
	expect((await search({ limit: 50 }, run)).message).toMatch(isLost);
	const other = await search({ limit: 5 }, { ...run, nodeId: 'another' });
	expect(other.message).toMatch(
		/'Credit Ceiling' of the credential \(50 credits\) is spent, so nothing is returned$/,
	);
});

test('a search says that Max Credits is spent if only leads have used it up', async () => {
	const { search } = customer();
	const execution = { ...createExecutionIds(), ...production };
	await search(limits, execution);
	const filters = { personLocationCountry: 'Germany' };
	expect((await search({ ...limits, filters }, execution)).message).toMatch(isSpent);
});

test('twelve polls that get a maintenance page count no credits, and the next poll continues at the cursor', async () => {
	const options = { maxCreditsInTotal: 40 };
	const { poll, addFault, requests, spent, workflow } = await createTrigger(shared, { options });
	expect(await poll()).toEqual(icelandUrls.slice(0, 20));
	const fault = addFault({ ...maintenancePage, times: 'always' });
	for (let polls = 0; polls < 12; polls++)
		await expect(poll()).rejects.toThrow(/is not answering \(503\)$/);
	expect(requests()).toHaveLength(1 + 12 * 4);
	expect(workflow.copies()).toMatchObject({ nodeCopy: { searches: [{ spentInTotal: 20 }] } });
	fault.remove();
	expect(await poll()).toEqual(icelandUrls.slice(20, 40));
	expect(spent()).toBe(40);
});
