/** What the editor offers before the first run is what the node returns. */
import Ajv from 'ajv';

import countSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/count.json';
import searchSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/lead/buyLeads.json';
import lookUpSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/buyProfiles.json';
import checkSchema from '../../nodes/LeadSearch/__schema__/v1.0.0/linkedInProfile/check.json';
import { LEAD_FIELDS, PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { runNode } from './n8nCore';
import { jsonOf, urlsOf, useService, type Customer } from './useService';

const { customer } = useService();
const filters = { personLocationCountry: 'Iceland' };

const urls = { resource: 'linkedInProfile', operation: 'check', linkedinUrls: 'example.com' };

const found = async (buyer: Customer) =>
	await buyer.search({ filters, limit: 30, options: { includePhones: true } });

test.each([
	['Search', searchSchema, found],
	[
		'Look Up',
		lookUpSchema,
		async (buyer: Customer) =>
			await buyer.lookUp({
				linkedinUrls: urlsOf((await found(buyer)).items).join('\n'),
				options: { includePhones: true },
			}),
	],
	['Count', countSchema, async (buyer: Customer) => await buyer.count({ filters })],
	['Check URLs', checkSchema, async () => await runNode({ parameters: urls })],
] as const)('%s', async (_, { version, ...schema }, run) => {
	expect(version).toBe(1);
	const { items, error } = await run(customer());
	expect(error).toBeUndefined();
	// What is not known of a lead is null, or not there; the editor knows no null.
	const rows = jsonOf(items).map((row) =>
		Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
	);
	expect(rows).not.toEqual([]);
	const validate = new Ajv().compile({ ...schema, additionalProperties: false });
	expect(rows.filter((row) => !validate(row))).toEqual([]);
	const seen = new Set(rows.flatMap((row) => Object.keys(row)));
	expect(Object.keys(schema.properties).filter((field) => !seen.has(field))).toEqual([]);
});

test('the fields are those that Simplify keeps', () => {
	expect(Object.keys(searchSchema.properties).sort()).toEqual([...LEAD_FIELDS].sort());
	expect(Object.keys(lookUpSchema.properties)).toEqual([...PROFILE_FIELDS]);
});
