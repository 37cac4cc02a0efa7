/** Look Up: who gets which profile, and what is told of those that do not come. */
import { leadAt } from '../../sandbox/service';
import { PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { continues, icelanders, matching, status, useService } from './useService';

const { customer, node } = useService();

/** URLs of the first leads that have an email address, so that each of them is found. */
const found = (count: number) => {
	const urls: string[] = [];
	for (let lead = 0; urls.length < count; lead++) {
		const { linkedin_url, work_email, personal_emails } = leadAt(lead);
		if (work_email !== null || personal_emails.length > 0) urls.push(linkedin_url);
	}
	return urls;
};
const [one = '', two = '', three = ''] = found(3);
/** Renamed by a service that does so with every seventh. */
const { linkedin_url: renamed } = leadAt(7);
const renames = { readings: { profiles: { renamedEvery: 7 } } };

const nobody = 'linkedin.com/in/nobody-at-all';
/** So many that profiles in doubt are not asked for one by one. */
const many = Array.from({ length: 25 }, (_, other) => `linkedin.com/in/nobody-${other}`);
const eachItem = { linkedinUrls: '={{ $json.url }}' };
const everybody = { onlyWithEmails: false };
const tellUnmatched = { ...everybody, unmatched: 'returnAsNotFound' };
const ofAll = { ...eachItem, options: everybody };
const ofAllTold = { ...eachItem, options: tellUnmatched };
const itemsOf = (urls: string[]) => ({ input: urls.map((url) => ({ url })) });

describe('URLs', () => {
	test('of 1,000 items, with repeats and six spellings of one, go in one request and are paid once', async () => {
		const urls = found(100);
		const name = one.slice(one.lastIndexOf('/') + 1);
		const spellings = [
			one,
			`http://linkedin.com/in/${name}/`,
			`linkedin.com/in/${name.toUpperCase()}`,
			`https://de.linkedin.com/in/${name}?trk=people-guest`,
			`https://www.LinkedIn.com/in/${name}/details/experience/#top`,
			`https://m.linkedin.com/in/%${name.charCodeAt(0).toString(16)}${name.slice(1)}/en`,
		];
		const all = [...spellings, ...Array.from({ length: 10 }, () => urls).flat()];
		expect(await customer().lookUp(eachItem, itemsOf(all))).toMatchObject({
			pairs: all.map((_, item) => item),
			urls: [...spellings.map(() => one), ...all.slice(6)],
			pages: [1],
			spent: 100,
		});
	});

	test.each([
		['separated by commas', `${one}, ${two},${three}`],
		['by line breaks', `${one}\n${two}\n\n${three}\n`],
		['by tabs and spaces', `${one}\t${two} ${three}`],
		['an array', `={{ ${JSON.stringify([one, two, three])} }}`],
		['an array of several each', `={{ ${JSON.stringify([`${one}\n${two}`, three])} }}`],
		['an array as text', JSON.stringify([one, two, three])],
	])('in one item may be %s', async (_, linkedinUrls) => {
		const result = await customer().lookUp({ linkedinUrls });
		expect(result).toMatchObject({ urls: [one, two, three], pairs: [0, 0, 0] });
	});

	test('more than one request can carry go into several', async () => {
		const { lookUp, requests } = customer();
		const nobodies = Array.from({ length: 100_000 }, (_, id) => `linkedin.com/in/nobody-${id}`);
		const linkedinUrls = [one, ...nobodies, two].join('\n');
		const { urls } = await lookUp({ linkedinUrls, options: { pageSize: 100_000 } });
		expect(urls).toEqual([one, two]);
		expect(requests().filter((request) => request.status !== 200)).toEqual([]);
	});
});

test('with and without Simplify a profile is paid once; with it, it has at most 10 fields', async () => {
	const { json, spent } = await customer().lookUp(
		{ linkedinUrls: one, simplify: '={{ $json.simplify }}' },
		{ input: [{ simplify: true }, { simplify: false }] },
	);
	expect(PROFILE_FIELDS.length).toBeLessThanOrEqual(10);
	expect(Object.keys(json[0] ?? {})).toEqual(PROFILE_FIELDS);
	expect(json[1]).toHaveProperty('personal_emails_count');
	expect(spent).toBe(1);
});

test('the options reach the service', async () => {
	const { lookUp, requests } = customer();
	const emails = { includeWorkEmails: false, includePersonalEmails: false };
	const options = { ...emails, includePhones: true, onlyWithEmails: false };
	await lookUp({ linkedinUrls: one, options });
	expect(requests()[0]?.body).toMatchObject(options);
});

test.each([
	['bearer', 'bearer', 'apiCredits'],
	['xApiKey', 'xApiKey', 'apiCredits'],
	['sessionToken', 'bearer', 'subscriptionCredits'],
] as const)(
	'with %s the header is %s, and %s are spent',
	async (authentication, headerStyle, balance) => {
		const { account, lookUp, requests } = customer();
		const { sessionToken, spent } = account;
		await lookUp({ linkedinUrls: one }, { credential: { authentication, sessionToken } });
		expect(requests()).toMatchObject([{ headerStyle }]);
		expect(spent[balance]).toBe(1);
	},
);

describe('Profiles that the service does not have', () => {
	test('are left out, and a hint says how many', async () => {
		const linkedinUrls = `${nobody}\n${one} ${nobody}-2`;
		expect(await customer().lookUp({ linkedinUrls })).toMatchObject({
			urls: [one],
			warnings: ['1 of 3 URLs found. To get the others too, set Unmatched URLs under Options.'],
		});
	});

	test('come back as not found on demand, in the spelling that was given, and for free', async () => {
		const input = itemsOf([nobody, one, nobody.toUpperCase()]);
		expect(await customer().lookUp(ofAllTold, input)).toMatchObject({
			pairs: [0, 1, 2],
			json: [
				{ linkedin_url: nobody, found: false },
				{ linkedin_url: one, found: true },
				{ linkedin_url: nobody.toUpperCase(), found: false },
			],
			warnings: [],
			spent: 1,
		});
	});

	test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'come out of a second output, with On Error set to %s',
		async (onError) => {
			const { outputs } = await customer().lookUp(
				{ ...eachItem, options: { unmatched: 'secondOutput' } },
				{ ...itemsOf([nobody, one, 'not-linkedin.example', two, `${nobody}-1`]), onError },
			);
			const pairs = outputs.map((out) => out.map(({ pairedItem }) => pairedItem));
			const items = (...of: number[]) => of.map((item) => ({ item }));
			expect(pairs).toEqual(
				onError === 'continueErrorOutput'
					? [items(1, 3), items(0, 4), items(2)]
					: [items(1, 2, 3), items(0, 4)],
			);
			expect(outputs[1]).toMatchObject([
				{ json: { linkedin_url: nobody, found: false } },
				{ json: { linkedin_url: `${nobody}-1`, found: false } },
			]);
		},
	);

	test.each(['rows', 'urls'] as const)(
		'are told apart from those that are not served yet, where pages count %s',
		async (lookUpPages) => {
			const { lookUp } = customer({ readings: { lookUpPages, pageSize: 100 } });
			const isFound = (id: number) => id % 10 < 6;
			const urls = Array.from({ length: 300 }, (_, id) =>
				isFound(id) ? leadAt(id).linkedin_url : `https://www.linkedin.com/in/nobody-${id}`,
			);
			const linkedinUrls = urls.join('\n');
			const { json, spent } = await lookUp({ linkedinUrls, options: tellUnmatched });
			const answers = new Map(json.map((row) => [row.linkedin_url, row.found]));
			expect(urls.map((url) => answers.get(url))).toEqual(urls.map((_, id) => isFound(id)));
			expect([json.length, spent]).toEqual([300, 180]);
		},
	);

	test.each(['rows', 'urls'] as const)(
		'are not those for which credits ran out, where pages count %s',
		async (lookUpPages) => {
			const { lookUp } = customer({ readings: { lookUpPages }, apiCredits: 60 });
			const { json, pairs, errors } = await lookUp(
				{ ...eachItem, options: { ...tellUnmatched, pageSize: 30 } },
				{ ...itemsOf(icelanders.slice(0, 100)), ...continues },
			);
			expect(pairs).toEqual(Array.from({ length: 100 }, (_, item) => item));
			expect(json.filter((row) => row.found === true)).toHaveLength(60);
			expect(errors).toHaveLength(40);
			expect(json.at(-1)).toMatchObject({
				error: matching(/^Not enough API credits \(402\)/),
				details: { status: 402, creditsSpent: 60, fetched: 60, missing: 40 },
			});
		},
	);
});

test('a lookup that is refused with 402 is halved, since fewer may be affordable', async () => {
	const faults = [8, 4].map((perPage) => status(402, { perPage, times: 'always' }));
	const urls = icelanders.slice(0, 8);
	const result = await customer({ faults }).lookUpAll(urls);
	expect(result).toMatchObject({ urls, sizes: [8, 4, 2, 2, 2, 2] });
});

describe('A profile that comes back', () => {
	test('under another URL belongs to the one input item that is open', async () => {
		const input = itemsOf([1, 7, 2].map((lead) => leadAt(lead).linkedin_url));
		expect(await customer(renames).lookUp(ofAllTold, input)).toMatchObject({
			urls: [leadAt(1).linkedin_url, `${renamed}-renamed`, leadAt(2).linkedin_url],
			pairs: [0, 1, 2],
			spent: 3,
		});
	});

	test('under another URL is found by asking once more, for each of a few that are open', async () => {
		const result = await customer(renames).lookUp(ofAllTold, itemsOf([renamed, nobody]));
		expect(result.items).toMatchObject([
			{ json: { linkedin_url: `${renamed}-renamed`, found: true }, pairedItem: { item: 0 } },
			{ json: { linkedin_url: nobody, found: false }, pairedItem: { item: 1 } },
		]);
		// Asking again costs the renamed one again.
		expect(result.spent).toBe(2);
		expect(result.warnings).toEqual([
			matching(/^The service sent 1 profile a second time and charged 1 credit /),
		]);
	});

	test('under another URL may belong to either of two of many, and a hint says so', async () => {
		const result = await customer(renames).lookUp(ofAllTold, itemsOf([renamed, nobody, ...many]));
		expect(result.items.slice(0, 4)).toMatchObject([
			{ json: { linkedin_url: `${renamed}-renamed` }, pairedItem: [{ item: 0 }, { item: 1 }] },
			{ json: { linkedin_url: renamed, found: false, possibleMatches: 1 } },
			{ json: { linkedin_url: nobody, found: false, possibleMatches: 1 } },
			{ json: { linkedin_url: many[0], found: false } },
		]);
		expect(result.items[3]?.json).not.toHaveProperty('possibleMatches');
		expect(result.spent).toBe(2);
		expect(result.warnings).toEqual([
			matching(/^1 profile came back under a URL that was not asked for/),
			matching(/^The service sent 1 profile a second time and charged 1 credit /),
		]);
	});

	test('under another URL comes out for both, where both are asked for', async () => {
		const { lookUp } = customer({ readings: { profiles: { renamedEvery: 1 } } });
		const input = itemsOf(found(3).flatMap((url) => [`${url}-renamed`, url]));
		expect(await lookUp({ ...eachItem, options: { pageSize: 1 } }, input)).toMatchObject({
			pairs: [0, 1, 2, 3, 4, 5],
			urls: found(3).flatMap((url) => [`${url}-renamed`, `${url}-renamed`]),
		});
	});

	test.each([
		['in two rows', 2, { twiceEvery: 1 }, [0, 0, 1]],
		['without a URL', 1, { withoutUrlEvery: 1 }, [0]],
	])('%s is handed on', async (_, urls, profiles, pairs) => {
		const { lookUp } = customer({ readings: { profiles } });
		const result = await lookUp(ofAll, itemsOf(icelanders.slice(0, urls)));
		expect(result).toMatchObject({ pairs, spent: pairs.length });
	});
});

test('Limit counts profiles over all input items, and a hint says how many are left', async () => {
	const limit = { returnAll: false, limit: 7 };
	expect(await customer().lookUp({ ...eachItem, ...limit }, itemsOf(found(20)))).toMatchObject({
		infos: ['7 profiles for 7 credits, 1 request; 7 with an email'],
		warnings: [
			'13 URLs were not looked up, since Limit counts the profiles of all input items together. Raise it, or turn on Return All.',
		],
	});
});

test('without a Limit all are looked up, a page of URLs at a time', async () => {
	const { lookUp, requests } = customer();
	const linkedinUrls = found(60).join('\n');
	const { urls } = await lookUp({ linkedinUrls, options: { pageSize: 25 } });
	expect(urls).toEqual(found(60));
	expect(requests().map(({ rows }) => rows)).toEqual([25, 25, 10]);
});

describe('Include Input Fields', () => {
	const withFields = { ...eachItem, options: { ...everybody, includeInputFields: true } };
	const hasRow = ({ json }: { json: object }) => Object.keys(json).includes('row');
	const twoOpen = [
		{ url: nobody, row: 1 },
		{ url: renamed, row: 2 },
	];

	test('joins each item with the input item that asked for it; the fields of a profile win', async () => {
		const input = [
			{ url: one, row: 2, full_name: 'As written in the sheet' },
			{ url: nobody, row: 3, found: 'in the sheet' },
			{ url: one, row: 4 },
		];
		const options = { ...tellUnmatched, includeInputFields: true };
		const { json } = await customer().lookUp({ ...eachItem, options }, { input });
		expect(json).toMatchObject([
			{ url: one, row: 2, found: true, linkedin_url: one },
			{ url: nobody, row: 3, found: false, linkedin_url: nobody },
			{ url: one, row: 4, found: true, linkedin_url: one },
		]);
		expect(json[0]?.full_name).not.toBe('As written in the sheet');
	});

	test('is off unless it is chosen', async () => {
		const result = await customer().lookUp(ofAllTold, { input: [{ url: one, row: 2 }] });
		expect(result.items.map(hasRow)).toEqual([false]);
	});

	test('leaves them out of a renamed profile that several items may have asked for', async () => {
		const { lookUp } = node(renames);
		const others = many.map((url) => ({ url, row: 3 }));
		const first = await lookUp(withFields, { input: [...twoOpen, ...others] });
		const pairedItem = [{ item: 0 }, { item: 1 }];
		expect(first.items).toMatchObject([
			{ json: { linkedin_url: `${renamed}-renamed` }, pairedItem },
		]);
		expect(first.items.map(hasRow)).toEqual([false]);
		// So does a later run in which one of them alone asks, and gets it as paid for.
		const again = await lookUp(withFields, { input: twoOpen.slice(0, 1) });
		expect(again.items.filter(hasRow)).toEqual([]);
	});

	test('comes with each row of a profile that has two, for each item that asked for it', async () => {
		const { lookUp } = customer({ readings: { profiles: { twiceEvery: 1 } } });
		const input = [one, one, two].map((url, item) => ({ url, row: item + 1 }));
		const { json } = await lookUp(withFields, { input });
		expect(json.map(({ row }) => row)).toEqual([1, 1, 2, 2, 3]);
	});
});
