/** Failures, section 4: an answer that is lost may have been charged. What happened is told, not what ran out of it. */
import { lossesByService } from '../../nodes/LeadSearch/cache/lossHistory';
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

const late = status(504, { body: '' });
const lost: Fault = { kind: 'loseAfterAnswer' };
const down = status(503, { body: '<html>Back at six</html>' });
const spent = /^'Max Credits' \(50 credits\) is spent, so nothing is returned$/;
const isLate = /is not answering \(504\); it may have been charged$/;
const isLost = /^The connection was lost .*; it may have been charged$/;

const within = {
	'no budget': [{}, {}],
	'Max Credits 50': [{ maxCredits: 50 }, {}],
	'a ceiling of 50': [{}, { credential: { creditCeiling: 50 } }],
} as const;

test.each([
	[25, /^1 response was lost [^.]*; up to 25 credits may have been charged\.$/],
	[50, /^1 response was lost .* The node requests smaller pages now, for a day\./],
])(
	'a hint about a lost page of %i leads says whether smaller pages are requested',
	async (limit, told) => {
		const { search } = customer({ faults: [lost] });
		const { warnings } = await search({ limit }, production);
		expect(warnings).toEqual([expect.stringMatching(told)]);
	},
);

/** Of a search of 50 in pages of 25; `came` are returned under Continue. */
test.each<[name: string, keyof typeof within, came: number, message: RegExp | undefined, Fault]>([
	['504 once', 'no budget', 50, undefined, late],
	['504 once', 'Max Credits 50', 25, isLate, late],
	['504 once', 'a ceiling of 50', 25, isLate, late],
	['504 for the second page', 'Max Credits 50', 25, isLate, { ...late, page: 2 }],
	['504 always', 'no budget', 0, isLate, { ...late, times: 'always' }],
	['504 always', 'Max Credits 50', 0, isLate, { ...late, times: 'always' }],
	['a lost answer', 'no budget', 50, undefined, lost],
	['a lost answer', 'Max Credits 50', 25, isLost, lost],
	['a lost answer', 'a ceiling of 50', 25, isLost, lost],
	['an answer that is not readable', 'no budget', 0, /can't be read/, { kind: 'wrongEncoding' }],
	['503 once', 'Max Credits 50', 50, undefined, down],
	['503 always', 'Max Credits 50', 0, /not answering \(503\)$/, { ...down, times: 'always' }],
	['500 once', 'a ceiling of 50', 50, undefined, status(500)],
	['402 for the second page', 'Max Credits 50', 25, /\(402\): 25 leads/, status(402, { page: 2 })],
])('%s within %s returns %i of 50 leads, and the message is about %s', async (...row) => {
	const [, budget, came, message, fault] = row;
	const [parameters, run] = within[budget];
	const options = { pageSize: 25, parallelPages: 1 };
	const search = { limit: 50, options, ...parameters };
	const goesOn = await customer({ faults: [fault] }).search(search, { ...run, ...continueOnError });
	expect(goesOn.urls).toHaveLength(came);
	const [error] = goesOn.errors;
	lossesByService.clear();
	const stops = await customer({ faults: [fault] }).search(search, { ...run, ...production });
	expect(stops.run.status).toBe(message ? 'error' : 'success');
	for (const told of [error?.error, stops.message])
		expect(told).toEqual(message && expect.stringMatching(message));
});

const first = { ...lost, page: 1 } as const;
const most = { limit: 50, maxCredits: 50 };

test.each(['Max Credits 50', 'a ceiling of 50'] as const)(
	'later rounds of a loop say what has used up %s',
	async (budget) => {
		const [parameters, run] = within[budget];
		const buyer = customer({ faults: [first] });
		const execution = { ...createExecutionIds(), ...run, ...production };
		for (let round = 0; round < 3; round++) {
			const { message, description } = await buyer.search({ limit: 50, ...parameters }, execution);
			expect(message).toMatch(isLost);
			expect(description).toContain(
				'1 response was lost or could not be used; up to 50 credits may have been charged.',
			);
			expect(description).toMatch(/ set a smaller 'Page Size' .* have used up /);
		}
		expect(buyer.requests()).toHaveLength(1);
	},
);

test('another node of the execution, which has lost nothing, says that the Credit Ceiling is reached', async () => {
	const { search } = customer({ faults: [first] });
	const { executionId } = createExecutionIds();
	const run = { executionId, credential: { creditCeiling: 50 }, ...production };
	expect((await search({ limit: 50 }, run)).message).toMatch(isLost);
	const other = await search({ limit: 5 }, { ...run, nodeId: 'another' });
	expect(other.message).toMatch(
		/'Credit Ceiling' of the credential \(50 credits\) is spent, so nothing is returned$/,
	);
});

test('a limit that only leads have used up is named as the reason', async () => {
	const { search } = customer();
	const execution = { ...createExecutionIds(), ...production };
	await search(most, execution);
	const filters = { personLocationCountry: 'Germany' };
	expect((await search({ ...most, filters }, execution)).message).toMatch(spent);
});

test('twelve polls that get a maintenance page count no credits, and the next one continues', async () => {
	const options = { maxCreditsInTotal: 40 };
	const { poll, addFault, requests, spent, workflow } = await createTrigger(shared, { options });
	expect(await poll()).toEqual(icelandUrls.slice(0, 20));
	const maintenance = addFault({ ...down, times: 'always' });
	for (let polls = 0; polls < 12; polls++)
		await expect(poll()).rejects.toThrow(/is not answering \(503\)$/);
	expect(requests()).toHaveLength(1 + 12 * 4);
	expect(workflow.copies()).toMatchObject({ nodeCopy: { searches: [{ spentInTotal: 20 }] } });
	maintenance.remove();
	expect(await poll()).toEqual(icelandUrls.slice(20, 40));
	expect(spent()).toBe(40);
});
