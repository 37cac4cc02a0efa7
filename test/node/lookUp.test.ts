/** Look Up: who gets which profile, and what is told of those that do not come. */
import { leadAt } from '../../sandbox/service';
import { PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import {
	continues,
	icelanders,
	infosOf,
	jsonOf,
	pairsOf,
	urlsOf,
	useService,
	warningsOf,
} from './useService';

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

/** So many URLs, six in ten of them of profiles that the service has. */
const sixInTen = (count: number) =>
	Array.from({ length: count }, (_, id) =>
		id % 10 < 6 ? leadAt(id).linkedin_url : `https://www.linkedin.com/in/nobody-${id}`,
	);

const nobody = 'linkedin.com/in/nobody-at-all';
const eachItem = { linkedinUrls: '={{ $json.url }}' };
const everybody = { onlyWithEmails: false };
const tellUnmatched = { ...everybody, unmatched: 'returnAsNotFound' };
const items = (urls: string[]) => ({ input: urls.map((url) => ({ url })) });

describe('URLs', () => {
	test('of 1,000 items, with repeats and six spellings of one, go in one request and are paid once', async () => {
		const buyer = customer();
		const urls = found(100);
		const [first = ''] = urls;
		const name = first.slice(first.lastIndexOf('/') + 1);
		const spellings = [
			first,
			`http://linkedin.com/in/${name}/`,
			`linkedin.com/in/${name.toUpperCase()}`,
			`https://de.linkedin.com/in/${name}?trk=people-guest`,
			`https://www.LinkedIn.com/in/${name}/details/experience/#top`,
			`https://m.linkedin.com/in/%${name.charCodeAt(0).toString(16)}${name.slice(1)}/en`,
		];
		const all = [...spellings, ...Array.from({ length: 10 }, () => urls).flat()];
		const result = await buyer.lookUp(eachItem, items(all));
		expect(pairsOf(result.items)).toEqual(all.map((_, item) => item));
		expect(urlsOf(result.items)).toEqual([...spellings.map(() => first), ...all.slice(6)]);
		expect(buyer.requests()).toHaveLength(1);
		expect(buyer.spent()).toBe(100);
	});

	const [one = '', two = '', three = ''] = found(3);
	test.each([
		['separated by commas', `${one}, ${two},${three}`],
		['by line breaks', `${one}\n${two}\n\n${three}\n`],
		['by tabs and spaces', `${one}\t${two} ${three}`],
		['an array', `={{ ${JSON.stringify([one, two, three])} }}`],
		['an array of several each', `={{ ${JSON.stringify([`${one}\n${two}`, three])} }}`],
		['an array as text', JSON.stringify([one, two, three])],
	])('in one item may be %s', async (_, linkedinUrls) => {
		const result = await customer().lookUp({ linkedinUrls });
		expect(urlsOf(result.items)).toEqual([one, two, three]);
		expect(pairsOf(result.items)).toEqual([0, 0, 0]);
	});

	test('more than one request can carry go into several', async () => {
		const buyer = customer();
		const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
		const result = await buyer.lookUp({
			linkedinUrls: [one, ...nobodies, two].join('\n'),
			options: { pageSize: 100_000 },
		});
		expect(urlsOf(result.items)).toEqual([one, two]);
		expect(buyer.requests().every(({ status }) => status === 200)).toBe(true);
	});
});

test('with and without Simplify a profile is paid once; with it, it has at most 10 fields', async () => {
	const buyer = customer();
	const result = await buyer.lookUp(
		{ linkedinUrls: found(1).join(), simplify: '={{ $json.simplify }}' },
		{ input: [{ simplify: true }, { simplify: false }] },
	);
	const [simple, whole] = jsonOf(result.items);
	expect(PROFILE_FIELDS.length).toBeLessThanOrEqual(10);
	expect(Object.keys(simple ?? {})).toEqual(PROFILE_FIELDS);
	expect(whole).toHaveProperty('personal_emails_count');
	expect(buyer.spent()).toBe(1);
});

test('the options reach the service', async () => {
	const buyer = customer();
	const options = {
		includeWorkEmails: false,
		includePersonalEmails: false,
		includePhones: true,
		onlyWithEmails: false,
	};
	await buyer.lookUp({ linkedinUrls: found(1).join(), options });
	expect(buyer.requests()[0]?.body).toMatchObject(options);
});

test.each([
	['bearer', 'bearer', 'apiCredits'],
	['xApiKey', 'xApiKey', 'apiCredits'],
	['sessionToken', 'bearer', 'subscriptionCredits'],
] as const)(
	'with %s the header is %s, and %s are spent',
	async (authentication, style, balance) => {
		const buyer = customer();
		const { account } = buyer;
		await buyer.lookUp(
			{ linkedinUrls: found(1).join() },
			{ credential: { authentication, sessionToken: account.sessionToken } },
		);
		expect(buyer.requests()[0]?.headerStyle).toBe(style);
		expect(account.spent[balance]).toBe(1);
	},
);

describe('Profiles that the service does not have', () => {
	test('are left out, and a hint says how many', async () => {
		const [url = ''] = found(1);
		const result = await customer().lookUp({ linkedinUrls: `${nobody}\n${url} ${nobody}-2` });
		expect(urlsOf(result.items)).toEqual([url]);
		expect(warningsOf(result)).toEqual([
			'1 of 3 URLs found. To get the others too, set Unmatched URLs under Options.',
		]);
	});

	test('come back as not found on demand, in the spelling that was given, and for free', async () => {
		const buyer = customer();
		const [url = ''] = found(1);
		const result = await buyer.lookUp(
			{ ...eachItem, options: tellUnmatched },
			items([nobody, url, nobody.toUpperCase()]),
		);
		expect(pairsOf(result.items)).toEqual([0, 1, 2]);
		expect(jsonOf(result.items)).toMatchObject([
			{ linkedin_url: nobody, found: false },
			{ linkedin_url: url, found: true },
			{ linkedin_url: nobody.toUpperCase(), found: false },
		]);
		expect(warningsOf(result)).toEqual([]);
		expect(buyer.spent()).toBe(1);
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'come out of a second output, with On Error set to %s',
		async (onError) => {
			const [one = '', two = ''] = found(2);
			const { outputs } = await customer().lookUp(
				{ ...eachItem, options: { unmatched: 'secondOutput' } },
				{ ...items([nobody, one, 'not-linkedin.example', two, `${nobody}-1`]), onError },
			);
			const hasErrorOutput = onError === 'continueErrorOutput';
			const [main = [], notFound = [], failed = []] = outputs;
			expect(pairsOf(main)).toEqual(hasErrorOutput ? [1, 3] : [1, 2, 3]);
			expect(jsonOf(notFound)).toMatchObject([
				{ linkedin_url: nobody, found: false },
				{ linkedin_url: `${nobody}-1`, found: false },
			]);
			expect(pairsOf(notFound)).toEqual([0, 4]);
			expect(pairsOf(failed)).toEqual(hasErrorOutput ? [2] : []);
			expect(outputs).toHaveLength(hasErrorOutput ? 3 : 2);
		},
	);

	test.each(['rows', 'urls'] as const)(
		'are told apart from those that are not served yet, where pages count %s',
		async (lookUpPages) => {
			const buyer = customer({ readings: { lookUpPages, pageSize: 100 } });
			const urls = sixInTen(300);
			const result = await buyer.lookUp({
				linkedinUrls: urls.join('\n'),
				options: tellUnmatched,
			});
			const isFound = (url: unknown) => !String(url).includes('nobody');
			const rows = jsonOf(result.items);
			expect(rows.map(({ linkedin_url: url }) => url).sort()).toEqual([...urls].sort());
			expect(rows.filter((row) => row.found !== isFound(row.linkedin_url))).toEqual([]);
			expect(buyer.spent()).toBe(180);
		},
	);

	test.each(['rows', 'urls'] as const)(
		'are not those for which credits ran out, where pages count %s',
		async (lookUpPages) => {
			const buyer = customer({ readings: { lookUpPages }, apiCredits: 60 });
			const result = await buyer.lookUp(
				{ ...eachItem, options: { ...tellUnmatched, pageSize: 30 } },
				{ ...items(icelanders.slice(0, 100)), ...continues },
			);
			expect(pairsOf(result.items)).toEqual(Array.from({ length: 100 }, (_, item) => item));
			const rows = jsonOf(result.items);
			expect(rows.filter((row) => row.found === true)).toHaveLength(60);
			expect(rows.filter((row) => row.error !== undefined)).toHaveLength(40);
			expect(rows.at(-1)).toMatchObject({
				error: expect.stringMatching(/^Not enough API credits \(402\)/) as string,
				details: { status: 402, creditsSpent: 60, fetched: 60, missing: 40 },
			});
		},
	);
});

test('a lookup that is refused with 402 is halved, since fewer may be affordable', async () => {
	const buyer = customer();
	for (const perPage of [8, 4]) {
		buyer.addFault({ kind: 'status', status: 402, perPage, times: 'always' });
	}
	const result = await buyer.lookUp({
		linkedinUrls: icelanders.slice(0, 8).join('\n'),
		options: everybody,
	});
	expect(urlsOf(result.items)).toEqual(icelanders.slice(0, 8));
	expect(buyer.requests().map(({ perPage }) => perPage)).toEqual([8, 4, 2, 2, 2, 2]);
});

describe('A profile that comes back', () => {
	test('under another URL belongs to the one input item that is open', async () => {
		const buyer = customer({ readings: { profiles: { renamedEvery: 7 } } });
		const urls = [1, 7, 2].map((lead) => leadAt(lead).linkedin_url);
		const result = await buyer.lookUp({ ...eachItem, options: tellUnmatched }, items(urls));
		expect(urlsOf(result.items)).toEqual([urls[0], `${urls[1]}-renamed`, urls[2]]);
		expect(pairsOf(result.items)).toEqual([0, 1, 2]);
		expect(buyer.spent()).toBe(3);
	});

	test('under another URL may belong to either of two that are open, and a hint says so', async () => {
		const buyer = customer({ readings: { profiles: { renamedEvery: 7 } } });
		const { linkedin_url: url } = leadAt(7);
		const result = await buyer.lookUp(
			{ ...eachItem, options: tellUnmatched },
			items([url, nobody]),
		);
		expect(result.items).toMatchObject([
			{ json: { linkedin_url: `${url}-renamed` }, pairedItem: [{ item: 0 }, { item: 1 }] },
			{ json: { linkedin_url: url, found: false, possibleMatches: 1 } },
			{ json: { linkedin_url: nobody, found: false, possibleMatches: 1 } },
		]);
		// Both were asked for once more, which costs the renamed one again.
		expect(buyer.spent()).toBe(2);
		expect(warningsOf(result)).toEqual([
			expect.stringMatching(/^1 profile came back under a URL that was not asked for/),
			expect.stringMatching(/^The service sent 1 profile a second time and charged 1 credit /),
		]);
	});

	test('under another URL comes out for both, where both are asked for', async () => {
		const buyer = customer({ readings: { profiles: { renamedEvery: 1 } } });
		const urls = found(3).flatMap((url) => [`${url}-renamed`, url]);
		const result = await buyer.lookUp({ ...eachItem, options: { pageSize: 1 } }, items(urls));
		expect(pairsOf(result.items)).toEqual([0, 1, 2, 3, 4, 5]);
		expect(urlsOf(result.items)).toEqual(
			found(3).flatMap((url) => [`${url}-renamed`, `${url}-renamed`]),
		);
	});

	test.each([
		['in two rows', 2, { readings: { profiles: { twiceEvery: 1 } } }, [0, 0, 1]],
		['without a URL', 1, { readings: { profiles: { withoutUrlEvery: 1 } } }, [0]],
	])('%s is handed on', async (_, urls, behaviour, pairs) => {
		const buyer = customer(behaviour);
		const result = await buyer.lookUp(
			{ ...eachItem, options: everybody },
			items(icelanders.slice(0, urls)),
		);
		expect(pairsOf(result.items)).toEqual(pairs);
		expect(buyer.spent()).toBe(pairs.length);
	});
});

test('Limit counts profiles over all input items, and a hint says how many are left', async () => {
	const result = await customer().lookUp(
		{ ...eachItem, returnAll: false, limit: 7 },
		items(found(20)),
	);
	expect(infosOf(result)).toEqual(['7 profiles for 7 credits, 1 request; 7 with an email']);
	expect(warningsOf(result)).toEqual([
		'13 URLs were not looked up, since Limit counts the profiles of all input items together. Raise it, or turn on Return All.',
	]);
});

test('without a Limit all are looked up, a page of URLs at a time', async () => {
	const buyer = customer();
	const linkedinUrls = found(60).join('\n');
	const result = await buyer.lookUp({ linkedinUrls, options: { pageSize: 25 } });
	expect(result.items).toHaveLength(60);
	expect(buyer.requests().map(({ rows }) => rows)).toEqual([25, 25, 10]);
});

describe('Include Input Fields', () => {
	const options = { ...tellUnmatched, includeInputFields: true };

	test('joins each item with the input item that asked for it; the fields of a profile win', async () => {
		const [url = ''] = found(1);
		const input = [
			{ url, row: 2, full_name: 'As written in the sheet' },
			{ url: nobody, row: 3, found: 'in the sheet' },
			{ url, row: 4 },
		];
		const { items: out } = await customer().lookUp({ ...eachItem, options }, { input });
		expect(jsonOf(out)).toMatchObject([
			{ url, row: 2, found: true, linkedin_url: url },
			{ url: nobody, row: 3, found: false, linkedin_url: nobody },
			{ url, row: 4, found: true, linkedin_url: url },
		]);
		expect(jsonOf(out)[0]?.full_name).not.toBe('As written in the sheet');
	});

	test('is off unless it is chosen', async () => {
		const [url = ''] = found(1);
		const { items: out } = await customer().lookUp(
			{ ...eachItem, options: tellUnmatched },
			{ input: [{ url, row: 2 }] },
		);
		expect(Object.keys(jsonOf(out)[0] ?? {})).not.toContain('row');
	});

	test('leaves them out of a renamed profile that several items may have asked for', async () => {
		const buyer = customer({ readings: { profiles: { renamedEvery: 7 } } });
		const { linkedin_url: url } = leadAt(7);
		const input = [
			{ url: nobody, row: 1 },
			{ url, row: 2 },
		];
		const { items: out } = await buyer.lookUp(
			{ ...eachItem, options: { ...everybody, includeInputFields: true } },
			{ input },
		);
		expect(out).toHaveLength(1);
		expect(out[0]).toMatchObject({
			json: { linkedin_url: `${url}-renamed` },
			pairedItem: [{ item: 0 }, { item: 1 }],
		});
		expect(Object.keys(out[0]?.json ?? {})).not.toContain('row');
	});

	test('leaves out those of an item that did not ask for a profile of an earlier run', async () => {
		const buyer = customer({ readings: { profiles: { renamedEvery: 7 } } });
		const { linkedin_url: url } = leadAt(7);
		const asked = { ...eachItem, options: { ...everybody, includeInputFields: true } };
		const node = { nodeId: 'the same', mode: 'manual' as const };
		await buyer.lookUp(asked, {
			...node,
			input: [
				{ url, row: 1 },
				{ url: nobody, row: 2 },
			],
		});
		const again = await buyer.lookUp(asked, { ...node, input: [{ url: nobody, row: 2 }] });
		for (const { json } of again.items) expect(Object.keys(json)).not.toContain('row');
	});

	test('comes with each row of a profile that has two, for each item that asked for it', async () => {
		const buyer = customer({ readings: { profiles: { twiceEvery: 1 } } });
		const [url = '', other = ''] = found(2);
		const { items: out } = await buyer.lookUp(
			{ ...eachItem, options: { ...everybody, includeInputFields: true } },
			{
				input: [
					{ url, row: 1 },
					{ url, row: 2 },
					{ url: other, row: 3 },
				],
			},
		);
		expect(jsonOf(out).map(({ row }) => row)).toEqual([1, 1, 2, 2, 3]);
	});
});
