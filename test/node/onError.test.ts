/** Promises 2 and 5: The output, and what it says, under each setting of On Error. */
import { continueOnError, matching, status, useService } from './useService';

const { customer } = useService();

const all = { returnAll: true, options: { pageSize: 25, parallelPages: 1 } };
const shortOfCredits = { apiCredits: 60 };

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'%s returns the leads, and one error item that says how to get the rest',
	async (onError) => {
		const { urls, items, errors } = await customer(shortOfCredits).search(all, { onError });
		expect(urls).toHaveLength(60);
		expect(items).toHaveLength(onError === 'continueErrorOutput' ? 60 : 61);
		expect(errors).toEqual([
			{
				error:
					"Not enough API credits (402): 60 leads came, then the credits ran out. Whether more follow isn't known",
				message: matching(
					/^Get more API credits .* Run it again within 29 minutes: you pay only for the rest\. This node has spent 60 credits in this execution\. Your 60 leads are in the output and saved\.$/,
				),
				details: { status: 402, creditsSpent: 60, fetched: 60 },
			},
		]);
	},
);

test("Continue quotes the service's words unchanged in the error item", async () => {
	const { search } = customer({ faults: [status(500, { body: { message: 'A & B are "down"' } })] });
	const { errors } = await search({ options: { maxRetries: 0 } }, continueOnError);
	expect(errors[0]?.message).toContain('The service said: "A & B are "down"".');
});

test('Continue runs the other input items after one that was rejected', async () => {
	const { searchIn } = customer({ faults: [status(403, { body: '' })] });
	const { json } = await searchIn(['Iceland', 'Germany'], { limit: 2 }, continueOnError);
	expect(json).toMatchObject([
		{ error: 'The API key may not do this (403)' },
		{ country: 'Germany' },
		{ country: 'Germany' },
	]);
});

test('Continue adds an error item for each input item without a result after a 402', async () => {
	const { searchIn } = customer({ apiCredits: 1 });
	const one = { limit: 1, options: { parallelPages: 1 } };
	const none = 'Not enough API credits (402): no leads came';
	expect(await searchIn(['Iceland', 'Germany', 'France'], one, continueOnError)).toMatchObject({
		json: [
			{ country: 'Iceland' },
			{ error: none, details: { status: 402, creditsSpent: 1, fetched: 0 } },
			{ error: `Not run, because an earlier input item ended the run: ${none}` },
		],
		pairs: [0, 1, 2],
		pages: [1, 1],
	});
});

test.each([
	['continueRegularOutput', [0, 1, 2, 2], {}],
	// With the fields of its input item.
	['continueErrorOutput', [0, 2, 2], { limit: 0 }],
] as const)(
	"%s with a Limit of 0 adds an item that says why an input item wasn't run",
	async (...row) => {
		const [onError, pairs, fields] = row;
		const input = [{ limit: 1 }, { limit: 0 }, { limit: 2 }];
		const result = await customer().search({ limit: '={{ $json.limit }}' }, { input, onError });
		// The first lead of both others is the same one.
		expect(result).toMatchObject({ pairs, spent: 2 });
		const error = "'Limit' of input item 1 is 0, not a whole number from 1 to 100,000";
		const message = "Set 'Limit' to a whole number from 1 to 100,000, written in digits only.";
		expect(result.errors).toMatchObject([{ ...fields, error, message }]);
	},
);

test.each([
	[['Iceland', undefined, 'Germany'], '1 of 3'],
	[[undefined, undefined], '2 of 2'],
])('Continue says for input items with %j that %s were rejected', async (countries, told) => {
	const { warnings } = await customer().searchIn(countries, { limit: 2 }, continueOnError);
	expect(warnings).toEqual([`${told} input items failed. Their items say why.`]);
});

test("rows of attempts that n8n discards under Retry On Fail aren't reported as returned", async () => {
	const run = { ...continueOnError, maxTries: 3 };
	const { told } = await customer().searchIn([undefined, 'Iceland'], { limit: 10 }, run);
	expect(told).toBe('10 leads for 10 credits');
});
