/** Tests which profile Look Up returns for each URL, and its messages about URLs without a profile. */
import { leadAt } from '../../sandbox/service';
import { PROFILE_FIELDS } from '../../nodes/LeadSearch/resources/simplify';
import { containing, continueOnError, first } from './useService';
import { pairsOf, useService } from './useService';

const { customer, node } = useService();

/** Returns the URLs of the first leads that have an email address, which Look Up finds by default. */
const found = (count: number) => {
	const urls: string[] = [];
	for (let lead = 0; urls.length < count; lead++) {
		const { linkedin_url, work_email, personal_emails } = leadAt(lead);
		if (work_email !== null || personal_emails.length > 0) urls.push(linkedin_url);
	}
	return urls;
};
const [one = '', two = ''] = found(2);
/** A service that returns every seventh profile under another URL. `renamedUrl` is such a profile. */
const renames = { readings: { profiles: { renamedEvery: 7 } } };
const { linkedin_url: renamedUrl } = leadAt(7);

const missingUrl = 'linkedin.com/in/nobody-at-all';
const returnUnmatched = { unmatched: 'returnAsNotFound' };

describe('URLs', () => {
	test('the URLs of 1,000 items, with duplicates and other spellings, are sent in one request and paid for once', async () => {
		const urls = found(100);
		const spellings = [`${one.replace('https://www.', 'de.')}?trk=people-guest`, `${one}/en`];
		const all = [...spellings, ...Array.from({ length: 10 }, () => urls).flat()];
		expect(await customer().lookUpEach(all)).toMatchObject({
			pairs: all.map((_, item) => item),
			urls: [one, one, ...all.slice(2)],
			pages: [1],
			spent: 100,
		});
	});

	test('Look Up requests the profiles that Check URLs counts, however the URLs are separated and wrapped', async () => {
		const linkedinUrls = `Anna Bell - <${one}>, LinkedIn: \u200B${two}\u200E;`;
		const { lookUp, preview, requests } = customer();
		const check = { resource: 'linkedInProfile', operation: 'check', linkedinUrls };
		const [counted] = (await preview(check)).json;
		expect(counted).toMatchObject({ urls: 2, invalid: 0, credits: 2 });
		expect(await lookUp({ linkedinUrls })).toMatchObject({ urls: [one, two], spent: 2 });
		expect(requests()).toMatchObject([{ body: { linkedinUrls: [one, two] } }]);
	});

	test('a hint names the URLs beyond Limit, which counts profiles over all input items', async () => {
		const limit = { returnAll: false, limit: 7 };
		expect(await customer().lookUpEach(found(20), {}, {}, limit)).toMatchObject({
			infos: ['7 of 20 profiles for 7 credits; 7 with an email (6 with a work email)'],
			warnings: [
				"13 URLs were not looked up, because 'Limit' counts the profiles of all input items together. Raise 'Limit', or turn on 'Return All'.",
			],
		});
	});

	test.each([
		['the first item counts', { returnAll: false, limit: '={{ $json.limit }}' }, 7],
		['Return All of the first item counts', { returnAll: '={{ $json.limit === 7 }}' }, 20],
	])(
		'Limit applies once to items with different options, and %s',
		async (_, parameters, results) => {
			const input = found(20).map((url, item) => ({
				url,
				limit: 7 + item,
				phones: item % 2 === 0,
				personal: item % 3 === 0,
			}));
			const options = {
				onlyWithEmails: false,
				includePhones: '={{ $json.phones }}',
				includePersonalEmails: '={{ $json.personal }}',
			};
			const linkedinUrls = '={{ $json.url }}';
			const { urls, spent, warnings, pages } = await customer().lookUp(
				{ linkedinUrls, options, ...parameters },
				{ input },
			);
			expect([urls.length, spent]).toEqual([results, results]);
			expect(pages.length).toBeGreaterThan(1);
			expect(warnings.join()).toContain(results < 20 ? 'were not looked up, because' : '');
		},
	);

	test('profiles that are reused for one of several options count toward Limit, too', async () => {
		const { lookUp } = node();
		const input = found(6).map((url, item) => ({ url, phones: item >= 3 }));
		const options = { includePhones: '={{ $json.phones }}' };
		const parameters = { linkedinUrls: '={{ $json.url }}', options, returnAll: false };
		await lookUp({ ...parameters, limit: 2 }, { input: input.slice(3) });
		const { urls, spent } = await lookUp({ ...parameters, limit: 4 }, { input });
		expect([urls.length, spent]).toEqual([4, 4]);
	});
});

test('a profile is paid for once with and without Simplify, which returns at most 10 fields', async () => {
	const { json, spent } = await customer().lookUp(
		{ linkedinUrls: one, simplify: '={{ $json.simplify }}' },
		{ input: [{ simplify: true }, { simplify: false }] },
	);
	expect(Object.keys(PROFILE_FIELDS).length).toBeLessThanOrEqual(10);
	expect(Object.keys(json[0] ?? {})).toEqual(
		Object.keys(PROFILE_FIELDS).filter((one) => !one.includes('phone')),
	);
	expect(json[1]).toHaveProperty('personal_emails_count');
	expect(spent).toBe(1);
});

test('options are sent under the names of the contract, and a session token spends subscription credits', async () => {
	const { account, lookUp, requests } = customer();
	const emails = { includeWorkEmails: false, includePersonalEmails: false };
	const body = { ...emails, includePhones: true, onlyWithEmails: false };
	const { sessionToken, spent } = account;
	const credential = { authentication: 'sessionToken', sessionToken };
	await lookUp({ linkedinUrls: one, options: body }, { credential });
	expect(requests()).toMatchObject([{ headerStyle: 'bearer', body }]);
	expect(spent).toEqual({ apiCredits: 0, subscriptionCredits: 1 });
});

describe('Unmatched URLs', () => {
	test("profiles that don't exist are left out, and a hint says how many", async () => {
		const linkedinUrls = `${missingUrl}\n${one} ${missingUrl}-2`;
		expect(await customer().lookUp({ linkedinUrls })).toMatchObject({
			urls: [one],
			infos: ['1 of 3 profiles for 1 credit; 1 with an email'],
			warnings: [
				"2 URLs have no profile, or one without an email ('Only With Emails' is on). To return them, set 'Unmatched URLs' under Options.",
			],
		});
	});

	test("profiles that don't exist are returned as not found for 0 credits, with the URL as the user wrote it", async () => {
		const urls = [missingUrl, one, missingUrl.toUpperCase()];
		expect(await customer().lookUpEach(urls, {}, returnUnmatched)).toMatchObject({
			pairs: [0, 1, 2],
			json: [
				{ linkedin_url: missingUrl, found: false },
				{ linkedin_url: one, found: true },
				{ linkedin_url: missingUrl.toUpperCase(), found: false },
			],
			warnings: [],
			spent: 1,
		});
	});

	test("profiles that don't exist and entries without a profile URL go to the second output, with the reason", async () => {
		const urls = [missingUrl, one, 'not-linkedin.example', two].map((url) => ({ url }));
		// The last input item has no URL, as if it came from a table that leaves out empty fields.
		const input = [...urls, { name: 'No URL' }];
		const { lookUpEach } = customer();
		const { outputs } = await lookUpEach([], { input }, { unmatched: 'secondOutput' });
		expect(outputs.map((out) => pairsOf(out).join()).join('; ')).toBe('1,3; 0,2,4');
		const reason = 'This is no LinkedIn profile';
		expect(outputs[1]?.map(({ json }) => json)).toMatchObject([
			{ linkedin_url: missingUrl, found: false },
			{ found: false, reason: containing(`${reason}. Write addresses`) },
			{ found: false, reason: containing(`${reason}. Check the field's name in the expression: `) },
		]);
	});

	test('Look Up returns an error item for each input item that it skipped because Max Credits was reached', async () => {
		const { lookUpEach } = customer();
		const options = { ...returnUnmatched, pageSize: 2 };
		const { json, spent } = await lookUpEach(first(5), continueOnError, options, { maxCredits: 2 });
		expect([json.length, spent]).toEqual([5, 2]);
		const error = "'Max Credits' (2 credits) is spent, so no more is returned";
		const details = { status: null, creditsSpent: 2, fetched: 2 };
		expect(json.filter((one) => one.error !== undefined)).toEqual(
			Array(3).fill(expect.objectContaining({ error, details })),
		);
	});
});

describe('Profiles under other URLs', () => {
	// The request for the single URL is charged again.
	const warnings = [
		'1 profile came back under another URL than yours, for example because the person has changed it.',
		'Matching profiles to your URLs cost 1 credit more.',
	];
	test('a profile that comes back under another URL is matched by requests for single URLs', async () => {
		const urls = [missingUrl, renamedUrl];
		expect(await customer(renames).lookUpEach(urls, {}, returnUnmatched)).toMatchObject({
			json: [
				{ linkedin_url: missingUrl, found: false },
				{ linkedin_url: `${renamedUrl}-renamed`, found: true },
			],
			pairs: [0, 1],
			spent: 2,
			warnings,
		});
	});

	test('an unmatched row is in the details of the error item if the credits run out before it is matched', async () => {
		const buyer = node({ ...renames, apiCredits: 1 });
		const { json, errors } = await buyer.lookUpEach(
			[missingUrl, renamedUrl],
			continueOnError,
			returnUnmatched,
		);
		expect(json).toHaveLength(2);
		expect(errors[0]).toMatchObject({
			details: {
				status: 402,
				creditsSpent: 1,
				fetched: 0,
				unmatched: [{ linkedin_url: `${renamedUrl}-renamed` }],
			},
			message: containing("you don't pay again for the profiles that are saved."),
		});
	});
});

describe('Include Input Fields', () => {
	const withFields = { includeInputFields: true };
	const hasFields = (json: object) => Object.keys(json).includes('item');

	test('Include Input Fields joins each profile with its input item, and the fields of the profile win', async () => {
		const input = [
			{ url: one, item: 2, full_name: 'As written in the sheet' },
			{ url: missingUrl, item: 3, found: 'in the sheet' },
			// The profile has no work email, so the field of the input item remains.
			{ url: one, item: 4, work_email: 'in the sheet' },
		];
		const { lookUpEach } = customer();
		const options = { ...returnUnmatched, includeWorkEmails: false };
		const { json } = await lookUpEach([], { input }, options, withFields);
		expect(json).toMatchObject([
			{ url: one, item: 2, found: true, linkedin_url: one },
			{ url: missingUrl, item: 3, found: false, linkedin_url: missingUrl },
			{ url: one, item: 4, found: true, linkedin_url: one, work_email: 'in the sheet' },
		]);
		expect(json[0]?.full_name).not.toBe('As written in the sheet');
		// Include Input Fields is off by default.
		expect((await lookUpEach([one], {}, returnUnmatched)).json.filter(hasFields)).toEqual([]);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'Include Input Fields also applies to error items, and n8n adds the fields for an error output (%s)',
		async (onError) => {
			const { errors } = await customer({ apiCredits: 0 }).lookUpEach(
				[one],
				{ onError },
				{},
				withFields,
			);
			expect(errors).toMatchObject([{ url: one, item: 0, details: { status: 402 } }]);
		},
	);
});

describe('Input items without a profile', () => {
	const noProfile = { unmatched: 'returnAsNotFound' };

	test('one warning names the column as the cause if no input item has a profile URL, and no request is sent', async () => {
		const buyer = customer();
		const { warnings, json, pages } = await buyer.lookUpEach(['', 'a', 'b'], {}, noProfile);
		expect(warnings).toEqual([
			'3 of 3 rows contain no LinkedIn profile URL. Check the name of the column, and whether the field is set to Expression.',
		]);
		expect([json.length, pages]).toEqual([3, []]);
	});

	test('one warning counts the input items without a profile URL by reason', async () => {
		const { warnings } = await customer().lookUpEach([...first(2), '', 'a'], {}, noProfile);
		expect(warnings).toEqual([
			'2 of 4 rows contain no LinkedIn profile URL: empty (1); no LinkedIn profile (1).',
		]);
	});

	test('a warning counts the entries without a profile URL if a single input item has several entries', async () => {
		const { warnings } = await customer().lookUpAll([...first(2), 'a'], {}, noProfile);
		expect(warnings).toEqual([
			'1 of 3 entries contains no LinkedIn profile URL: no LinkedIn profile (1).',
		]);
	});
});
