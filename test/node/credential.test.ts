/** Tests credentials whose fields are expressions. All input items of a run must have the same credential. */
import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { containing, continueOnError, useService } from './useService';

const { node } = useService();
const parameters = { limit: 1 };
const byItem = { apiKey: '={{ $json.key }}' };

const { properties } = new LeadSearchApi();
const fields = properties.filter(({ type }) => type !== 'hidden');

test.each(fields.map(({ name }) => name))(
	'a credential whose %s differs for the second input item is rejected, and no request is sent',
	async (name) => {
		const { search, requests } = node();
		const authentication = name === 'sessionToken' ? name : 'bearer';
		const credential = { authentication, [name]: '={{ $json.value }}' };
		const run = { input: [{ value: 'one' }, { value: 'other' }], credential };
		const error = 'Input items 0 and 1 use different credentials';
		expect(await search(parameters, run)).toMatchObject({
			message: error,
			description: containing('Process the items one at a time with Loop Over Items'),
		});
		const { errors } = await search(parameters, { ...run, ...continueOnError });
		expect(errors).toMatchObject([{ error }, { error }]);
		expect(requests()).toEqual([]);
	},
);

test('a loop whose rounds have different keys pays with the account of each key', async () => {
	const buyers = [node(), node()];
	for (const { account } of buyers)
		await buyers[0]?.search(parameters, { input: [{ key: account.apiKey }], credential: byItem });
	expect(buyers.map(({ account }) => account.chargedLeads.length)).toEqual([1, 1]);
});

test('input items that get the same key from an expression pay for the same lead once', async () => {
	const { search, account } = node();
	const input = Array.from({ length: 3 }, () => ({ key: account.apiKey }));
	expect(await search(parameters, { input, credential: byItem })).toMatchObject({
		spent: 1,
		errors: [],
	});
});

test('the credential has no field with a regular expression, because n8n ends a run whose regular expression takes 250 ms', () => {
	expect(JSON.stringify(properties)).not.toContain('"regex"');
});
