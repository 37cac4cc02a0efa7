/** Check URLs: what a lookup of these URLs would ask for, and cost at most. */
import type { INodeParameters } from 'n8n-workflow';

import { runNode, type NodeRun } from './n8nCore';
import { jsonOf, pairsOf, useService, warningsOf } from './useService';

const { customer } = useService();
const jane = 'https://www.linkedin.com/in/jane';
const paul = 'https://www.linkedin.com/in/paul';

/** Runs it as n8n saves it: without a credential, and without what is a default. */
const check = async (linkedinUrls: INodeParameters[string], more: Partial<NodeRun> = {}) =>
	await runNode({ parameters: { resource: 'linkedInProfile', linkedinUrls }, ...more });

test.each([
	['one URL', jane, { urls: 1, duplicates: 0, invalid: 0, credits: 1 }],
	['several', `${jane}, ${paul}`, { urls: 2, duplicates: 0, invalid: 0, credits: 2 }],
	[
		'a profile in several spellings',
		`${jane}\nHTTP://LinkedIn.com/in/JANE/?x=1\nuk.linkedin.com/in/jane/details ${paul}`,
		{ urls: 2, duplicates: 2, invalid: 0, credits: 2 },
	],
	[
		'what is no profile',
		`${jane}, https://www.linkedin.com/company/acme, jane`,
		{ urls: 1, duplicates: 0, invalid: 2, credits: 1 },
	],
	[
		'what is no text',
		`={{ ['${jane}', { url: '${paul}' }, true, null] }}`,
		{ urls: 1, duplicates: 0, invalid: 2, credits: 1 },
	],
	['an object', '={{ { a: 1 } }}', { urls: 0, duplicates: 0, invalid: 1, credits: 0 }],
	['nothing', '', { urls: 0, duplicates: 0, invalid: 0, credits: 0 }],
	[
		'a field that is not there',
		'={{ $json.url }}',
		{ urls: 0, duplicates: 0, invalid: 0, credits: 0 },
	],
])('%s is counted', async (_, linkedinUrls, counted) => {
	const { items, error } = await check(linkedinUrls);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual([counted]);
});

test('it asks for as many profiles as Look Up then does, and costs nothing itself', async () => {
	const buyer = customer();
	const linkedinUrls = [jane, paul, `${jane}/`].join(' ');
	const [counted] = jsonOf((await check(linkedinUrls)).items);
	expect(buyer.requests()).toEqual([]);
	await buyer.lookUp({ linkedinUrls });
	const asked = buyer.requests().map(({ body }) => body as { linkedinUrls: string[] });
	expect(asked[0]?.linkedinUrls).toHaveLength(counted?.urls as number);
});

test('each input item is counted by itself, and the hint counts them together', async () => {
	const input = [{ urls: [jane, paul] }, { urls: [jane, jane] }, { urls: [] }];
	const { items, hints } = await check('={{ $json.urls }}', { input });
	expect(jsonOf(items)).toEqual([
		{ urls: 2, duplicates: 0, invalid: 0, credits: 2 },
		{ urls: 1, duplicates: 1, invalid: 0, credits: 1 },
		{ urls: 0, duplicates: 0, invalid: 0, credits: 0 },
	]);
	expect(pairsOf(items)).toEqual([0, 1, 2]);
	expect(warningsOf(hints)).toEqual([
		'Some profiles stand in more than one input item. Look Up asks for each once: for 2 profiles in all, which cost at most 2 credits.',
	]);
});

test('the hint names what a lookup refuses', async () => {
	const input = ['<b>', 'b', 'c', 'd', 'e', 'f'].map((url) => ({ url }));
	const { hints } = await check('={{ $json.url }}', { input });
	expect(warningsOf(hints)).toEqual([
		"Look Up refuses what is no LinkedIn profile: '&lt;b&gt;', 'b', 'c', 'd', 'e' and 1 more.",
	]);
	expect(warningsOf((await check(jane)).hints)).toEqual([]);
});

test('an expression that fails is told as for every operation', async () => {
	const fails = "={{ $('Nowhere').item.json.url }}";
	expect((await check(fails)).error).toBeDefined();
	const { items, error } = await check(fails, { onError: 'continueRegularOutput' });
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ error: expect.any(String) as string }]);
});
