/** One or more of every message about failures, and of every hint; the types keep the lists complete. */
import type { Failure, FailureKind } from '../nodes/LeadSearch/api/failures';
import { formatFailure, type FailureContext } from '../nodes/LeadSearch/messages/failures';
import * as hints from '../nodes/LeadSearch/messages/hints';
import type { HintKey } from '../nodes/LeadSearch/paging/leadList';

export const WHERE: FailureContext = {
	...{ endpoint: 'search', baseUrl: 'https://leads.example.com' },
	...{ sessionToken: false, fetched: 0, timeoutMs: 300_000 },
};

/** Of a text for people, an expression being one. */
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
	forbidden: [[{ status: 403 }], [{ status: 403 }, { endpoint: 'preview' }]],
	proxyLogin: [[{ status: 407 }]],
	refused: [[{ status: 422, text: 'company_size is unknown' }]],
	notTheService: [[{ status: 404 }], [{ status: 302 }, { endpoint: 'preview' }], [{ status: 204 }]],
	tooManyRequests: [[{}], [{ retryAfterMs: 7_000 }]],
	serverDown: [[{ status: 500 }]],
	upstreamDown: [
		[{ status: 502 }],
		...[503, 504].map((status): Sample => [{ status }, { endpoint: 'lookUp' }]),
	],
	unreachable: [[{ code: 'ENOTFOUND' }], [{ status: 504 }]],
	notSent: [[{}]],
	lostResponse: [[{ code: 'ETIMEDOUT' }], [{ code: 'ECONNRESET' }, { endpoint: 'lookUp' }]],
	unreadable: [[{}]],
	tooLarge: [[{}]],
	unsuccessful: [[{}]],
	protocolViolation: [
		[{ text: 'has_more is neither true nor false' }],
		[{ text: 'it sent 3 rows where 2 were asked for', advice: 'Ask for 3.' }],
	],
	cancelled: [[{}], ...[true, false].map((is): Sample => [{ mayBeCharged: is }, { isPoll: true }])],
};

export const KINDS = Object.keys(SAMPLES) as FailureKind[];

export const FAILURES = KINDS.flatMap((kind) =>
	SAMPLES[kind].map(([more, where]) => {
		const failure: Failure = { ...more, kind };
		return { failure, ...formatFailure(failure, { ...WHERE, ...where }) };
	}),
);

type Hint = Extract<keyof typeof hints, `hint${string}`>;
const cost = { charged: 5, wasted: 0, possiblyCharged: 0, lostResponses: 0, requests: 2 };

const noted = (note: HintKey, text: string) => String(hints.listHints(new Map([[note, text]]), 25));

export const HINTS: Readonly<Record<Hint | HintKey, string>> = {
	hintCost: hints.hintCost('search', { ...cost, inAll: 8 }, [{ work_email: 'a@b.c' }, {}], true),
	hintReused: hints.hintReused('search', { reused: 50, returned: 80 }, 12),
	hintCut: hints.hintCut('search', 60, true, 'item that tells why'),
	hintFailed: hints.hintFailed(3, 6),
	hintEmpty: hints.hintEmpty('lookUp'),
	hintNoMatch: hints.hintNoMatch([
		['Job Titles', ['VP', '<b>']],
		['size', 5],
	]),
	hintNoStatus: hints.hintNoStatus(),
	hintAtLeast: hints.hintAtLeast(100_000),
	hintNotFound: hints.hintNotFound(2, true),
	hintLimit: hints.hintLimit(3),
	hintFirstOf: hints.hintFirstOf(400, 2_000, 400),
	hintMore: hints.hintMore(5),
	hintInvalidUrls: hints.hintInvalidUrls(
		3,
		'truncated, or not alone on its line (2); a short link (1)',
		'Write the whole address.',
	),
	hintSameProfiles: hints.hintSameProfiles(3),
	hintSame: hints.hintSame(2, 'search'),
	hintMaxResults: hints.hintMaxResults(),
	hintRefused: hints.hintRefused(10_000, 'page <b>'),
	truncatedPage: noted('truncatedPage', '100'),
	repeatedLastPage: noted('repeatedLastPage', '30'),
	changedList: noted('changedList', '10'),
	movedRows: noted('movedRows', ''),
	previewEnded: noted('previewEnded', 'page 2 <b>'),
	refusedSize: noted('refusedSize', '1000'),
	hintRepeated: hints.hintRepeated(5, 'search'),
	hintUnmatched: hints.hintUnmatched(1),
};
