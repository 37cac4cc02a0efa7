/** Tests promises 2 and 5: the output of failed runs and its messages, with each setting of On Error. */
import { continueOnError, matching, status, useService } from './useService';

const { customer } = useService();

const all = { returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const fewCredits = { apiCredits: 60 };

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'%s returns the leads and one error item that says how to get the remaining leads',
	async (onError) => {
		const { urls, items, errors } = await customer(fewCredits).search(all, { onError });
		expect(urls).toHaveLength(60);
		expect(items).toHaveLength(onError === 'continueErrorOutput' ? 60 : 61);
		expect(errors).toEqual([
			{
				error:
					'Not enough API credits (402): the credits ran out after 60 leads, and there may be more',
				message: matching(
					/^Get more API credits .* Run it again within 29 minutes: you pay only for the rest\. This node has spent 60 credits in this execution\. Your 60 leads are in the output and saved\.$/,
				),
				details: { status: 402, creditsSpent: 60, fetched: 60 },
			},
		]);
	},
);

test("Continue quotes the service's message unescaped in the error item", async () => {
	const { search } = customer({ faults: [status(500, { body: { message: 'A & B are "down"' } })] });
	const { errors } = await search({ options: { maxRetries: 0 } }, continueOnError);
	expect(errors[0]?.message).toContain('The service said: "A & B are "down"".');
});

test('Continue runs the other input items after an input item was rejected', async () => {
	const { searchIn } = customer({ faults: [status(403, { body: '' })] });
	const { json } = await searchIn(['Iceland', 'Germany'], { limit: 2 }, continueOnError);
	expect(json).toMatchObject([
		{ error: 'The request was blocked (403), probably by a firewall or proxy' },
		{ country: 'Germany' },
		{ country: 'Germany' },
	]);
});

test('Continue returns an error item for each input item that got no leads because of a 402', async () => {
	const { searchIn } = customer({ apiCredits: 1 });
	const parameters = { limit: 1, options: { parallelPages: 1 } };
	const noLeads = 'Not enough API credits (402): no leads were returned';
	expect(
		await searchIn(['Iceland', 'Germany', 'France'], parameters, continueOnError),
	).toMatchObject({
		json: [
			{ country: 'Iceland' },
			{ error: noLeads, details: { status: 402, creditsSpent: 1, fetched: 0 } },
			{
				error: `This input item was not run, because an earlier one ended the run: ${noLeads}`,
				message: 'Nothing was sent or charged for this item.',
			},
		],
		pairs: [0, 1, 2],
		pages: [1, 1],
	});
});

test.each([
	['continueRegularOutput', [0, 1, 2, 2], {}],
	// n8n adds the fields of the input item to an error item on the error output.
	['continueErrorOutput', [0, 2, 2], { limit: 0 }],
] as const)(
	'%s returns an error item for an input item whose Limit is 0, and runs the other input items',
	async (...row) => {
		const [onError, pairs, fields] = row;
		const input = [{ limit: 1 }, { limit: 0 }, { limit: 2 }];
		const result = await customer().search({ limit: '={{ $json.limit }}' }, { input, onError });
		// The other two items request the same first lead, which is paid for once.
		expect(result).toMatchObject({ pairs, spent: 2 });
		const error = "'Limit' in input item 1 (limit 0) is 0, not a whole number from 1 to 100,000";
		const message = "Set 'Limit' to a whole number from 1 to 100,000, written in digits only.";
		expect(result.errors).toMatchObject([{ ...fields, error, message }]);
	},
);

test.each([
	[['Iceland', undefined, 'Germany'], '1 of 3'],
	[[undefined, undefined], '2 of 2'],
])('Continue warns for searches in %j that %s input items failed', async (countries, count) => {
	const { warnings } = await customer().searchIn(countries, { limit: 2 }, continueOnError);
	expect(warnings).toEqual([`${count} input items failed. Their output items say why.`]);
});

test("the custom data don't count leads of attempts that n8n discards under Retry On Fail", async () => {
	const run = { ...continueOnError, maxTries: 3 };
	const { customData } = await customer().searchIn([undefined, 'Iceland'], { limit: 10 }, run);
	expect(customData).toBe('10 leads for 10 credits');
});
