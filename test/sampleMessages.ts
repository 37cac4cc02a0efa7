/** Creates examples of each message about a failure and of each hint. The types ensure that the lists are complete. */
import type { Failure, FailureKind } from '../nodes/LeadSearch/api/failures';
import { formatFailure, type FailureContext } from '../nodes/LeadSearch/messages/failures';
import * as runTexts from '../nodes/LeadSearch/execution/hints';
import * as shared from '../nodes/LeadSearch/messages/hint';
import type { HintKey } from '../nodes/LeadSearch/paging/leadList';
import { adviseSmallPages } from '../nodes/LeadSearch/paging/pages';
import * as leadTexts from '../nodes/LeadSearch/resources/lead/hints';
import * as profileTexts from '../nodes/LeadSearch/resources/linkedInProfile/hints';

export const WHERE: FailureContext = {
	endpoint: 'search',
	baseUrl: 'https://leads.example.com',
	sessionToken: false,
	fetched: 0,
	timeoutMs: 300_000,
};

/** Splits a text for users into words. An expression counts as one word. */
export const wordsOf = (text: string) => text.replace(/\{\{.+?\}\}/g, '…').split(/\s+/);

type Sample = [more: Partial<Failure>, where?: Partial<FailureContext>];

const SAMPLES: Readonly<Record<FailureKind, Sample[]>> = {
	unauthorized: [
		[{}],
		[{}, { endpoint: 'lookUp', sessionToken: true }],
		[{}, { endpoint: 'preview' }],
	],
	noCredits: [
		[{}],
		[{}, { fetched: 60 }],
		[{}, { endpoint: 'lookUp', sessionToken: true, fetched: 1 }],
	],
	forbidden: [
		[{ status: 403 }],
		[{ status: 403, text: 'No access' }],
		[{ status: 403 }, { endpoint: 'preview' }],
	],
	proxyLogin: [[{ status: 407 }]],
	refused: [
		[{ status: 422, text: 'company_size is unknown' }],
		[{ status: 422, text: 'at most 500', advice: adviseSmallPages(1_000) }],
	],
	tooLargeForGateway: [[{ status: 413 }]],
	notTheService: [[{ status: 404 }], [{ status: 302 }, { endpoint: 'preview' }], [{ status: 204 }]],
	tooManyRequests: [[{}], [{ retryAfterMs: 7_000 }]],
	serverDown: [[{ status: 500 }]],
	upstreamDown: [
		[{ status: 502 }],
		...[503, 504].map((status): Sample => [{ status }, { endpoint: 'lookUp' }]),
	],
	unreachable: [[{ code: 'ENOTFOUND' }], [{ code: 'CONNECT 504' }]],
	notSent: [[{}], [{ code: 'CERT_HAS_EXPIRED' }]],
	lostResponse: [[{ code: 'ETIMEDOUT' }], [{ code: 'ECONNRESET' }, { endpoint: 'lookUp' }]],
	unreadable: [[{}]],
	tooLarge: [[{}]],
	unsuccessful: [[{}]],
	protocolViolation: [
		[{ text: 'has_more is neither true nor false' }],
		[{ text: 'it sent 3 rows instead of the requested 2', advice: "Set 'Page Size' to 3." }],
	],
	cancelled: [
		[{}],
		...[true, false].map((mayBeCharged): Sample => [{ mayBeCharged }, { isPoll: true }]),
	],
};

export const KINDS = Object.keys(SAMPLES) as FailureKind[];

export const FAILURES = KINDS.flatMap((kind) =>
	SAMPLES[kind].map(([more, context]) => {
		const failure: Failure = { ...more, kind };
		return { failure, ...formatFailure(failure, { ...WHERE, ...context }) };
	}),
);

const hints = { ...shared, ...runTexts, ...leadTexts, ...profileTexts };
type Hint = Exclude<Extract<keyof typeof hints, `describe${string}`>, 'describeListHints'>;
const cost = { charged: 5, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 2 };

const hintText = (key: HintKey, text: string) =>
	String(hints.describeListHints(new Map([[key, text]])));

export const HINTS: Readonly<Record<Hint | HintKey, string>> = {
	describeCost: hints.describeCost(
		'search',
		{
			...cost,
			totalCharged: 8,
			isExecution: true,
			includesPhones: true,
			credential: 'Ours <b>',
		},
		[{ work_email: 'a@b.c' }, {}],
	),
	describeReusedRows: hints.describeReusedRows('search', { reused: 50, returned: 80 }, '10:34'),
	describeTruncation: hints.describeTruncation('search', 60, true, 'item that says why'),
	describeFailedItems: hints.describeFailedItems(3, 6),
	describeEmptyRound: hints.describeEmptyRound('lookUp'),
	describeNoMatch: hints.describeNoMatch([
		['Job Titles', ['VP', '<b>']],
		['size', 5],
	]),
	describeSplitLists: String(
		hints.describeSplitLists([
			['Job Titles', ['VP', '<b>']],
			['Job Titles', ['a', 'b']],
			['Job Titles', ['a', 'c']],
			['Job Titles', ['a', 'd']],
		]),
	),
	describeFreeCount: hints.describeFreeCount(),
	describeIgnoredStatus: hints.describeIgnoredStatus(),
	describeLowerBound: hints.describeLowerBound(100_000),
	describeNotFound: hints.describeNotFound(2, true),
	describeLimit: hints.describeLimit(3),
	describeReadableRows: hints.describeReadableRows(400, 2_000, 400),
	describeAbsentCountries: hints.describeAbsentCountries(['USA', '<b>'], 50),
	describeNoProfiles: hints.describeNoProfiles(4, 30, 'row', 'empty (4)'),
	describeNextRows: hints.describeNextRows(5, false),
	describeInvalidUrls: hints.describeInvalidUrls(
		3,
		'truncated, or not alone on its line (2); a short link (1)',
		'Write the whole address.',
	),
	describeDuplicateProfiles: hints.describeDuplicateProfiles(3),
	describeDuplicateItems: hints.describeDuplicateItems(2, 'search'),
	describeMaxResults: hints.describeMaxResults(),
	describeRefusal: hints.describeRefusal(10_000, 'page <b>'),
	truncatedPage: hintText('truncatedPage', '100'),
	repeatedLastPage: hintText('repeatedLastPage', '30'),
	describeRepeats: hints.describeRepeats(12, true),
	previewEnded: hintText('previewEnded', 'page 2 <b>'),
	describeRenamedProfiles: hints.describeRenamedProfiles(1),
	describeMatchingCost: hints.describeMatchingCost(5),
	describeUnreadableResults: hints.describeUnreadableResults(),
	describeUnmatchedRows: hints.describeUnmatchedRows(1),
};
