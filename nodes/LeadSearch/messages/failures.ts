/**
 * What people read when the service or the network fails: what happened, and how to get unstuck, as plain
 * text. `stoppedRun.ts` adds what was charged, and `nodeErrors.ts` makes it fit for HTML.
 */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import { CERTIFICATE_CODE_PATTERN } from '../api/network';
import { quantity } from './quantity';

export interface ErrorText {
	message: string;
	/** Never empty. */
	description: string;
	/** The same as data, where n8n would not take it for a lead. */
	details?: Json;
}

/** Where a failure happened. */
export interface FailureContext {
	endpoint: Endpoint;
	baseUrl: string;
	/** Whether the credential holds a session token, which spends subscription credits. */
	sessionToken: boolean;
	/** Rows that came before, those paid for in an earlier run included. */
	fetched: number;
	timeoutMs: number;
	/** The rows of the largest answer of the run; 0 for none. */
	largestResponse?: number;
	/** Whether the request asks for nothing that could be charged. */
	isFree?: boolean;
	/** Whether it is a poll, which nobody cancels but n8n, when it takes too long. */
	isPoll?: boolean;
}

/** What a credential holds and spends. */
export function credentialTerms(sessionToken: boolean): { secret: string; credits: string } {
	return sessionToken
		? { secret: 'session token', credits: 'subscription credits' }
		: { secret: 'API key', credits: 'API credits' };
}

export function formatFailure(failure: Failure, where: FailureContext): ErrorText {
	const { kind, text } = failure;
	const [message, description] = FORMATTERS[kind](failure, where);
	const isSaid = text === undefined || (message + description).includes(text);
	const isPaid = ENDPOINTS[where.endpoint].costsCredits && !where.isFree;
	// Who stops an execution reads what it has cost; what stops a poll is nobody's wish.
	const isToldHere = isPaid && (kind !== 'cancelled' || where.isPoll);
	const charged = isToldHere && mayHaveBeenCharged(failure) ? '; it may have been charged' : '';
	return {
		// Plain text that stays harmless should anything render it as HTML.
		message: message.replaceAll('<', '‹').replaceAll('>', '›') + charged,
		description: isSaid ? description : `${description} The service said: "${text}".`,
	};
}

/** What may get through where a large page does not. */
function smallerPages({ endpoint, largestResponse = 0 }: FailureContext): string {
	const came = `: the largest page that came had ${quantity(largestResponse, ENDPOINTS[endpoint].noun)}`;
	return `set a smaller 'Page Size' under Options${largestResponse > 0 ? came : ''}`;
}

type Texts = [message: string, description: string];

const FORMATTERS: Record<Failure['kind'], (failure: Failure, where: FailureContext) => Texts> = {
	unauthorized: (_, { endpoint, sessionToken }) => {
		const { secret } = credentialTerms(sessionToken);
		return ENDPOINTS[endpoint].costsCredits
			? [
					`The ${secret} was not accepted (401)`,
					`Copy the ${secret} from the lead service's dashboard into the credential again.`,
				]
			: [
					'The lead service asks for a credential even for a preview (401)',
					"A preview needs none. Check that 'Base URL' points to the lead search service.",
				];
	},
	noCredits: (_, { endpoint, sessionToken, fetched }) => {
		const { noun } = ENDPOINTS[endpoint];
		const { credits } = credentialTerms(sessionToken);
		const came =
			fetched > 0
				? `${quantity(fetched, noun)} came, then the credits ran out. There may be more`
				: `no ${noun}s came`;
		return [
			`Not enough ${credits} (402): ${came}`,
			sessionToken
				? "Check the subscription credits in the lead service's dashboard. With an API key, Look Up spends API credits instead."
				: "Get more API credits in the lead service's dashboard.",
		];
	},
	forbidden: (_, { endpoint, sessionToken }) => {
		const { secret } = credentialTerms(sessionToken);
		return ENDPOINTS[endpoint].costsCredits
			? [
					`The ${secret} may not do this (403)`,
					`Look in the lead service's dashboard at what the ${secret} may do. A firewall may answer like this, too.`,
				]
			: [
					'The lead service does not allow this preview (403)',
					"A preview needs no credential, so a firewall may have answered. Check 'Base URL', and that n8n may connect to this address.",
				];
	},
	proxyLogin: () => [
		'A proxy between n8n and the lead service asks for a login (407)',
		'Give n8n the address of the proxy with user name and password (HTTP_PROXY, HTTPS_PROXY), or leave out the proxy for the service (NO_PROXY).',
	],
	refused: ({ status, text }) => [
		`The lead service refused the request (${status})${text === undefined ? '' : `: ${text}`}`,
		"Check the parameters of the node, above all 'Filters' and Options.",
	],
	notTheService: ({ status = 200, text = 'another address' }, { baseUrl }) => {
		let answer = 'answered with something other than a list of results, for example a web page.';
		if (status >= 300)
			answer = `redirects to ${text}, which the node does not follow with the key. If you trust that address, set 'Base URL' to it.`;
		if (status >= 400) answer = `answered that there is nothing at this address (${status}).`;
		return [
			"This doesn't look like the lead search service; check 'Base URL'",
			`${baseUrl} ${answer}`,
		];
	},
	tooManyRequests: ({ retryAfterMs }) => [
		'Too many requests for the lead service (429)',
		!retryAfterMs
			? "Run again later. A larger 'Page Size' takes fewer requests."
			: `The service asks to wait ${quantity(Math.ceil(retryAfterMs / 1000), 'second')}. Run again after that.`,
	],
	serverDown: ({ status }) => [
		`The lead service could not process the request (${status})`,
		'Run again later. If it stays like this, contact the lead service.',
	],
	upstreamDown: ({ status }, where) => [
		`${ENDPOINTS[where.endpoint].upstream} is not answering (${status})`,
		`Run again later. If it stays like this, ${smallerPages(where)}.`,
	],
	unreachable: ({ code = 'no code' }, { baseUrl }) => {
		const why = CERTIFICATE_CODE_PATTERN.test(code)
			? 'The certificate of the host cannot be trusted'
			: 'No connection could be made';
		return [
			`Can't reach the lead service at ${baseUrl}`,
			`${UNREACHABLE[code] ?? why} (${code}). Check 'Base URL' (in the credential, unless the node has one), and that n8n may connect to this address.`,
		];
	},
	notSent: ({ text = 'No reason was given' }) => [
		'n8n did not send the request',
		`${text}. Check 'Base URL' and the settings of this n8n.`,
	],
	lostResponse: ({ code = '' }, where) =>
		['ETIMEDOUT', 'ECONNABORTED'].includes(code)
			? [
					`No complete answer within ${quantity(where.timeoutMs / 1000, 'second')}`,
					`Set a longer 'Timeout', or ${smallerPages(where)}.`,
				]
			: [
					'The connection was lost before the answer was complete',
					`Run again later. If it stays like this, ${smallerPages(where)}.`,
				],
	unreadable: () => [
		'The answer is not readable',
		'It was not asked for again, since it would be the same. Contact the lead service.',
	],
	tooLarge: ({ text = '50 MB' }) => [
		`The answer has more than ${text}`,
		"What was asked for needs far less, so no more of it was read. Contact the lead service. A 'Page Size' of 25 under Options leaves each row most room.",
	],
	unsuccessful: () => [
		'The lead service did not carry out the request',
		'It answered that it was not successful. Check the parameters of the node.',
	],
	protocolViolation: ({
		text = 'it does not match the documentation of the service',
		advice = 'Contact the lead service if it stays like this.',
	}) => [`The lead service sent an unexpected answer: ${text}`, advice],
	cancelled: (_, { isPoll }) =>
		isPoll
			? [
					'The lead service did not answer within the time that n8n gives a poll',
					"Set fewer 'Leads per Poll', or a smaller 'Page Size' under Options.",
				]
			: ['The execution was stopped', 'No further request was sent.'],
};

const UNREACHABLE: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The connection was refused',
	ECONNRESET: 'The host hung up before anything was sent',
	ETIMEDOUT: 'The host did not answer',
	ECONNABORTED: 'The host did not answer',
	ENOTFOUND: 'The host name was not found',
	EAI_AGAIN: 'The host name could not be looked up',
};
