/**
 * What people read when the service or the network lets a run down: what happened in the message,
 * how to get unstuck in the description. All of it is plain text; `nodeErrors.ts` makes it fit for the
 * places that render HTML.
 */
import type { Endpoint } from '../service/contract';
import { CERTIFICATE_CODES, type Failure } from '../service/failures';

/** What people are told. */
export interface Told {
	message: string;
	description: string;
}

/** Where a failure happened. */
export interface Circumstances {
	endpoint: Endpoint;
	/** Address that requests went to, without the endpoint's path. */
	baseUrl: string;
	/** Whether the credential holds a session token, which spends subscription credits. */
	sessionToken: boolean;
	/** Results fetched before in the same list. */
	fetched: number;
	/** For one request, in milliseconds. */
	timeoutMs: number;
	/** Whether it is a poll, which nobody cancels but n8n, when it takes too long. */
	isPoll?: boolean;
}

/** Nouns for what an endpoint returns. */
export const NOUN: Readonly<Record<Endpoint, { one: string; many: string }>> = {
	preview: { one: 'lead', many: 'leads' },
	search: { one: 'lead', many: 'leads' },
	lookUp: { one: 'profile', many: 'profiles' },
};

/** '1 lead', '60 leads', '2,350 leads'. */
export function count(number: number, noun: { one: string; many: string }): string {
	return `${number.toLocaleString('en')} ${number === 1 ? noun.one : noun.many}`;
}

/** Puts a failure of the service or the network into words. */
export function tellFailure(failure: Failure, where: Circumstances): Told {
	const told = TELL[failure.kind](failure, where);
	const said = failure.words !== undefined && SAYS_MORE.has(failure.kind);
	return {
		message: asMessage(told.message),
		description: said
			? `${told.description} The service said: "${failure.words ?? ''}".`
			: told.description,
	};
}

/** Kinds whose message doesn't hold the service's words already. */
const SAYS_MORE: ReadonlySet<Failure['kind']> = new Set([
	'unauthorized',
	'noCredits',
	'tooManyRequests',
	'serverDown',
	'upstreamDown',
]);

const TELL: Record<Failure['kind'], (failure: Failure, where: Circumstances) => Told> = {
	unauthorized: (_failure, { endpoint, sessionToken }) => {
		if (endpoint === 'preview') {
			return {
				message: 'The lead service asks for a credential even for a preview (401)',
				description:
					'A preview needs none. Check that Base URL points to the lead search service.',
			};
		}
		const secret = sessionToken ? 'session token' : 'API key';
		return {
			message: `The ${secret} was not accepted (401)`,
			description: sessionToken
				? "Log in to the lead service's dashboard again and copy the new session token into the credential."
				: "Open the credential and enter the API key from the lead service's dashboard again.",
		};
	},

	noCredits: (_failure, { endpoint, sessionToken, fetched }) => {
		const credits = sessionToken ? 'subscription credits' : 'API credits';
		const what = count(fetched, NOUN[endpoint]);
		return {
			message:
				fetched > 0
					? `Not enough ${credits} (402): ${what} fetched before they ran out`
					: `Not enough ${credits} (402): no ${NOUN[endpoint].many} fetched`,
			description: sessionToken
				? "Check the subscription credits in the lead service's dashboard. With an API key in the credential, Look Up spends API credits instead."
				: "Get more API credits in the lead service's dashboard, then run again.",
		};
	},

	refused: ({ status, words }) => ({
		message: `The lead service refused the request (${status})${words === undefined ? '' : `: ${words}`}`,
		description: 'Check the parameters of the node, above all Filters and Options.',
	}),

	notTheService: ({ status, location }, where) => ({
		message: "This doesn't look like the lead search service; check Base URL",
		description: notTheServiceBecause(status, location, where),
	}),

	tooManyRequests: ({ retryAfterMs }) => ({
		message: 'Too many requests for the lead service (429)',
		description:
			retryAfterMs === undefined
				? 'Run again later. A larger Page Size takes fewer requests, and Max Retries makes the node wait longer.'
				: `The service asks to wait ${count(Math.ceil(retryAfterMs / 1000), SECOND)}. Run again after that.`,
	}),

	serverDown: ({ status }) => ({
		message: `The lead service could not process the request (${status})`,
		description: 'Run again later. If it stays like this, contact the lead service.',
	}),

	upstreamDown: ({ status }, { endpoint }) => ({
		message:
			endpoint === 'lookUp'
				? `The LinkedIn service behind the lookup is not answering (${status})`
				: `The lead service behind the search is not answering (${status})`,
		description:
			'Run again later. A smaller Page Size may get through where a large one does not.',
	}),

	unreachable: ({ code }, { baseUrl }) => ({
		message: `Can't reach Base URL ${baseUrl}`,
		description: `${UNREACHABLE[code ?? ''] ?? 'No connection could be made'} (${code ?? 'no code'}). Check Base URL, and that n8n may connect to this address.`,
	}),

	notSent: ({ words }) => ({
		message: 'n8n did not send the request',
		description: `${words ?? 'No reason was given'}. Check Base URL and the settings of this n8n.`,
	}),

	lostAnswer: ({ timedOut }, { endpoint, timeoutMs }) => ({
		message: timedOut
			? `No complete answer within ${count(timeoutMs / 1000, SECOND)}${charged(endpoint)}`
			: `The connection was lost before the answer was complete${charged(endpoint)}`,
		description: timedOut
			? 'Set a longer Timeout or a smaller Page Size under Options.'
			: 'Run again later. If it stays like this, set a smaller Page Size under Options.',
	}),

	unreadable: ({ tooLarge }, { endpoint }) =>
		tooLarge
			? {
					message: `The answer is larger than 100 MB${charged(endpoint)}`,
					description: 'Set a smaller Page Size under Options.',
				}
			: {
					message: `The answer is not readable as JSON${charged(endpoint)}`,
					description:
						'Run again later. If it stays like this, contact the lead service.',
				},

	saidNo: ({ words }) => ({
		message: words ?? 'The lead service did not carry out the request',
		description:
			'The lead service answered that it was not successful. Check the parameters of the node.',
	}),

	misfit: ({ words }) => ({
		message: `The lead service sent an unexpected answer: ${words ?? 'it is not what the contract says'}`,
		description: 'Contact the lead service if it stays like this.',
	}),

	cancelled: (_failure, { isPoll }) =>
		isPoll
			? {
					message:
						'The lead service did not answer within the time that n8n gives a poll; it may have been charged',
					description: 'Set fewer Leads per Poll, or a smaller Page Size under Options.',
				}
			: {
					message: 'The execution was stopped',
					description: 'No further request was sent.',
				},
};

const SECOND = { one: 'second', many: 'seconds' };

const UNREACHABLE: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The connection was refused',
	ENOTFOUND: 'The host name was not found',
	EAI_AGAIN: 'The host name could not be looked up',
	EHOSTUNREACH: 'The host is not reachable',
	ENETUNREACH: 'The network is not reachable',
	...Object.fromEntries(
		CERTIFICATE_CODES.map((code) => [code, 'The certificate of the host can not be trusted']),
	),
	CERT_HAS_EXPIRED: 'The certificate of the host has expired',
};

function notTheServiceBecause(
	status: number | undefined,
	location: string | undefined,
	{ baseUrl }: Circumstances,
): string {
	if (status === 404) return `${baseUrl} answered that there is nothing at this address (404).`;
	if (status !== undefined && status >= 300 && status < 400) {
		const target = location === undefined ? 'another address' : shorten(location);
		return `${baseUrl} redirects to ${target}. The node does not follow, since that would carry the key there. If you trust that address, set Base URL to it.`;
	}
	return `${baseUrl} answered with something other than leads, for example a web page.`;
}

function charged(endpoint: Endpoint): string {
	return endpoint === 'preview' ? '' : '; it may have been charged';
}

function shorten(text: string): string {
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Plain text that stays harmless should anything render it as HTML. */
function asMessage(text: string): string {
	return text.replaceAll('<', '‹').replaceAll('>', '›');
}
