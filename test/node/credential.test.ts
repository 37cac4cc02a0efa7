/** A credential whose fields are expressions: each input item on its own account, or none. */
import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { containing, continueOnError, useService } from './useService';

const { node } = useService();
const one = { limit: 1 };
const byItem = { apiKey: '={{ $json.key }}' };

const { properties } = new LeadSearchApi();
const fields = properties.filter(({ type }) => type !== 'hidden');

test.each(fields.map(({ name }) => name))(
	'%s that differs for the second input item is rejected, and nothing is sent',
	async (name) => {
		const { search, requests } = node();
		const authentication = name === 'sessionToken' ? name : 'bearer';
		const credential = { authentication, [name]: '={{ $json.value }}' };
		const run = { input: [{ value: 'one' }, { value: 'other' }], credential };
		const error = 'Input items 0 and 1 use different credentials';
		expect(await search(one, run)).toMatchObject({
			message: error,
			description: containing('Process the items one at a time with Loop Over Items'),
		});
		const { errors } = await search(one, { ...run, ...continueOnError });
		expect(errors).toMatchObject([{ error }, { error }]);
		expect(requests()).toEqual([]);
	},
);

test('a loop with a key per item pays with the account of each key', async () => {
	const buyers = [node(), node()];
	for (const { account } of buyers)
		await buyers[0]?.search(one, { input: [{ key: account.apiKey }], credential: byItem });
	expect(buyers.map(({ account }) => account.chargedLeads.length)).toEqual([1, 1]);
});

test('one key for all input items from an expression is one account', async () => {
	const { search, account } = node();
	const input = Array.from({ length: 3 }, () => ({ key: account.apiKey }));
	expect(await search(one, { input, credential: byItem })).toMatchObject({ spent: 1, errors: [] });
});

test('n8n reads the credential without a regular expression, because it ends one after 250 ms together with the run', () => {
	expect(JSON.stringify(properties)).not.toContain('"regex"');
});
