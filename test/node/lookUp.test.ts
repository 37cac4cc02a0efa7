import { leadAt } from '../../sandbox/service';
import { PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { jsonOf, pairsOf, useService } from './useService';

const shared = useService();
const { customer } = shared;

/** URLs of the first leads that have an email address, so that each of them is found. */
const found = (count: number) => {
	const urls: string[] = [];
	for (let lead = 0; urls.length < count; lead++) {
		const { linkedin_url, work_email, personal_emails } = leadAt(lead);
		if (work_email !== null || personal_emails.length > 0) urls.push(linkedin_url);
	}
	return urls;
};

/** Other spellings of one profile URL. */
const spellings = (url: string) => {
	const name = url.slice(url.lastIndexOf('/') + 1);
	return [
		url,
		`http://linkedin.com/in/${name}/`,
		`linkedin.com/in/${name.toUpperCase()}`,
		`https://de.linkedin.com/in/${name}?trk=people-guest`,
		`https://www.LinkedIn.com/in/${name}/details/experience/#top`,
		`https://m.linkedin.com/in/%${name.charCodeAt(0).toString(16)}${name.slice(1)}/en`,
	];
};

const eachItem = { linkedinUrls: '={{ $json.url }}' };

test('500 items with one URL each are one request', async () => {
	const buyer = customer();
	const urls = found(500);
	const { items } = await buyer.lookUp(eachItem, { input: urls.map((url) => ({ url })) });
	expect(items).toHaveLength(500);
	expect(pairsOf(items)).toEqual(urls.map((_, item) => item));
	expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual(urls);
	expect(buyer.requests()).toMatchObject([{ rows: 500, charged: 500 }]);
});

test('1,000 items, with repeats and six spellings of one URL, are one request and pay once', async () => {
	const buyer = customer();
	const urls = found(100);
	const input = Array.from({ length: 1_000 }, (_, item) => {
		const [sixSpellings = ''] = urls;
		const url = item < 6 ? spellings(sixSpellings)[item] : urls[item % 100];
		return { url: url ?? '', profile: item < 6 ? sixSpellings : (urls[item % 100] ?? '') };
	});
	const { items, error } = await buyer.lookUp(eachItem, { input });
	expect(error).toBeUndefined();
	expect(pairsOf(items)).toEqual(input.map((_, item) => item));
	expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual(
		input.map(({ profile }) => profile),
	);
	expect(buyer.requests()).toHaveLength(1);
	expect(buyer.account.spent.apiCredits).toBe(100);
});

test('one item can hold many URLs, in any of the list forms', async () => {
	const [one = '', two = '', three = ''] = found(3);
	for (const linkedinUrls of [
		`${one}, ${two},${three}`,
		`${one}\n${two}\n\n${three}\n`,
		`={{ ${JSON.stringify([one, two, three])} }}`,
		JSON.stringify([one, two, three]),
	]) {
		const { items } = await customer().lookUp({ linkedinUrls });
		expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual([one, two, three]);
		expect(pairsOf(items)).toEqual([0, 0, 0]);
	}
});

test('Simplify returns at most 10 fields, without it all come', async () => {
	const [linkedinUrls = ''] = found(1);
	const simple = await customer().lookUp({ linkedinUrls });
	expect(PROFILE_FIELDS.length).toBeLessThanOrEqual(10);
	expect(PROFILE_FIELDS).toEqual(Object.keys(simple.items[0]?.json ?? {}));
	const whole = await customer().lookUp({ linkedinUrls, simplify: false });
	expect(whole.items[0]?.json).toHaveProperty('personal_emails_count');
});

test('the options reach the service', async () => {
	const buyer = customer();
	const [linkedinUrls = ''] = found(1);
	await buyer.lookUp({
		linkedinUrls,
		options: {
			includeWorkEmails: false,
			includePersonalEmails: false,
			includePhones: true,
			onlyWithEmails: false,
		},
	});
	expect(buyer.requests()[0]?.body).toMatchObject({
		includeWorkEmails: false,
		includePersonalEmails: false,
		includePhones: true,
		onlyWithEmails: false,
	});
});

describe('URLs that the service has nothing for', () => {
	const nobody = 'linkedin.com/in/nobody-at-all';

	test('are left out unless asked for', async () => {
		const [url = ''] = found(1);
		const { items } = await customer().lookUp({ linkedinUrls: `${nobody}\n${url}` });
		expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual([url]);
	});

	test('come back as not found, in the spelling that was given', async () => {
		const buyer = customer();
		const [url = ''] = found(1);
		const { items } = await buyer.lookUp(
			{ ...eachItem, options: { unmatched: 'returnAsNotFound' } },
			{ input: [{ url: nobody }, { url }, { url: nobody.toUpperCase() }] },
		);
		expect(pairsOf(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items)).toMatchObject([
			{ linkedin_url: nobody, found: false },
			{ linkedin_url: url },
			{ linkedin_url: nobody.toUpperCase(), found: false },
		]);
		expect(buyer.account.spent.apiCredits).toBe(1);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'come out of a second output, with On Error set to %s',
		async (onError) => {
			const buyer = customer();
			const urls = found(3);
			const input = [
				nobody,
				urls[0],
				'not-linkedin.example',
				urls[1],
				`${nobody}-1`,
				urls[2],
			];
			const { outputs } = await buyer.lookUp(
				{ ...eachItem, options: { unmatched: 'secondOutput' } },
				{ input: input.map((url) => ({ url })), onError },
			);
			const refused = { error: expect.stringContaining('no LinkedIn profile') as string };
			const hasErrorOutput = onError === 'continueErrorOutput';
			const [foundItems = [], notFound = [], failed = []] = outputs;
			expect(jsonOf(foundItems)).toMatchObject([
				{ linkedin_url: urls[0] },
				...(hasErrorOutput ? [] : [refused]),
				{ linkedin_url: urls[1] },
				{ linkedin_url: urls[2] },
			]);
			expect(pairsOf(foundItems)).toEqual(hasErrorOutput ? [1, 3, 5] : [1, 2, 3, 5]);
			expect(jsonOf(notFound)).toMatchObject([
				{ linkedin_url: nobody, found: false },
				{ linkedin_url: `${nobody}-1`, found: false },
			]);
			expect(pairsOf(notFound)).toEqual([0, 4]);
			expect(pairsOf(failed)).toEqual(hasErrorOutput ? [2] : []);
			expect(outputs).toHaveLength(hasErrorOutput ? 3 : 2);
			expect(buyer.account.spent.apiCredits).toBe(3);
		},
	);

	test('do not come back as not found when credits ran out before', async () => {
		const buyer = customer({ apiCredits: 2 });
		const input = found(5).map((url) => ({ url }));
		const { items } = await buyer.lookUp(
			{ ...eachItem, options: { unmatched: 'returnAsNotFound' } },
			{ input, onError: 'continueRegularOutput' },
		);
		expect(jsonOf(items)).toMatchObject([
			{ linkedin_url: input[0]?.url },
			{ linkedin_url: input[1]?.url },
			...Array.from({ length: 3 }, () => ({
				error: 'Not enough API credits (402): 2 profiles fetched; no credits left to tell whether more follow',
			})),
		]);
		expect(pairsOf(items)).toEqual([0, 1, 2, 3, 4]);
	});
});

test('the old and the new URL of a renamed profile: each item gets it, and none is asked for again', async () => {
	const buyer = customer({ renamesEvery: 1 });
	const urls = found(3).flatMap((url) => [`${url}-renamed`, url]);
	const input = urls.map((url) => ({ url }));
	const { items, error } = await buyer.lookUp(
		{ ...eachItem, options: { pageSize: 1 } },
		{ input },
	);
	expect(error).toBeUndefined();
	expect(pairsOf(items)).toEqual([0, 1, 2, 3, 4, 5]);
	expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual(
		found(3).flatMap((url) => [`${url}-renamed`, `${url}-renamed`]),
	);
	expect(buyer.requests()).toHaveLength(6);
	expect(buyer.account.spent.apiCredits).toBe(6);
});

describe('Limit', () => {
	test('Return All is the default', async () => {
		const { items } = await customer().lookUp({ linkedinUrls: found(60).join('\n') });
		expect(items).toHaveLength(60);
	});

	test('a limit counts profiles over all input items, and says which are left', async () => {
		const buyer = customer();
		const { items, hints } = await buyer.lookUp(
			{ ...eachItem, returnAll: false, limit: 7 },
			{ input: found(20).map((url) => ({ url })) },
		);
		expect(items).toHaveLength(7);
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringContaining('13 URLs of input items 7 to 19 were not looked up'),
		);
		expect(buyer.account.spent.apiCredits).toBe(7);
	});

	test('more URLs than a page are fetched page by page', async () => {
		const buyer = customer();
		const { items } = await buyer.lookUp({
			linkedinUrls: found(25).join('\n'),
			options: { pageSize: 10 },
		});
		expect(items).toHaveLength(25);
		expect(buyer.requests().map(({ rows }) => rows)).toEqual([10, 10, 5]);
	});
});

describe('Credential', () => {
	test.each([
		['bearer', 'bearer', 'apiCredits'],
		['xApiKey', 'xApiKey', 'apiCredits'],
		['sessionToken', 'bearer', 'subscriptionCredits'],
	] as const)('%s: the header is %s and %s are spent', async (authentication, style, balance) => {
		const buyer = customer();
		const { items, error } = await buyer.lookUp(
			{ linkedinUrls: found(1).join() },
			{ credential: { authentication, sessionToken: buyer.account.sessionToken } },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(buyer.requests()[0]?.headerStyle).toBe(style);
		expect(buyer.account.spent[balance]).toBe(1);
	});
});

test('more than 100,000 URLs go into several requests', async () => {
	const buyer = customer();
	const [one = '', two = ''] = found(2);
	const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
	const { items, error } = await buyer.lookUp({
		linkedinUrls: [one, ...nobodies, two].join('\n'),
		options: { pageSize: 100_000 },
	});
	expect(error).toBeUndefined();
	expect(jsonOf(items).map(({ linkedin_url }) => linkedin_url)).toEqual([one, two]);
	expect(buyer.account.spent.apiCredits).toBe(2);
	expect(buyer.requests().every(({ status }) => status === 200)).toBe(true);
});
