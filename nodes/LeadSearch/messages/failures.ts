/** Messages for failures of the service or the network, as plain text. `stoppedRun.ts` adds what was charged. */
import { ENDPOINTS, type Endpoint, type Json } from '../api/contract';
import { mayHaveBeenCharged, type Failure } from '../api/failures';
import { CERTIFICATE_CODE_PATTERN } from '../api/network';
import { quantity } from './quantity';

export interface ErrorText {
	message: string;
	/** The text below the message. It is never empty: n8n 1 outputs an error item without it among the leads. */
	description: string;
	/** `details` of an error item: `{ status: 402, creditsSpent: 60, fetched: 60 }`. It is always undefined in n8n 1. */
	details?: Json;
}

export interface FailureContext {
	endpoint: Endpoint;
	baseUrl: string;
	sessionToken: boolean;
	/** The number of rows that the run has, including rows that an earlier run paid for. */
	fetched: number;
	timeoutMs: number;
	/** Whether the request is free although its endpoint costs credits: the test of the credential is. */
	isFree?: boolean;
	/** Whether a trigger polls. Only the poll's time limit cancels its request, not a user. */
	isPoll?: boolean;
}

export function credentialTerms(sessionToken: boolean): { secret: string; credits: string } {
	return sessionToken
		? { secret: 'session token', credits: 'subscription credits' }
		: { secret: 'API key', credits: 'API credits' };
}

export function formatFailure(failure: Failure, where: FailureContext): ErrorText {
	const { kind, text } = failure;
	const [message, description] = FORMATTERS[kind](failure, where);
	const isQuoted = text === undefined || (message + description).includes(text);
	const isPaid = ENDPOINTS[where.endpoint].costsCredits && !where.isFree;
	// A user who stops an execution reads its cost elsewhere.
	const reportsCharge = isPaid && (kind !== 'cancelled' || where.isPoll);
	const charged =
		reportsCharge && mayHaveBeenCharged(failure) ? '; the request may have been charged' : '';
	return {
		// Plain text that is harmless even if it is rendered as HTML.
		message: message.replaceAll('<', '‹').replaceAll('>', '›') + charged,
		description: isQuoted ? description : `${description} The service said: "${text}".`,
	};
}

const SMALLER_PAGES = "set 'Page Size' under Options to 25 or less";

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
					'The lead service requires a credential for a preview (401)',
					"Check 'Base URL': the lead search service requires no credential for a preview.",
				];
	},
	noCredits: (_, { endpoint, sessionToken, fetched }) => {
		const { noun } = ENDPOINTS[endpoint];
		const { credits } = credentialTerms(sessionToken);
		const outcome =
			fetched > 0
				? `the credits ran out after ${quantity(fetched, noun)}, and there may be more`
				: `no ${noun}s were returned`;
		return [
			`Not enough ${credits} (402): ${outcome}`,
			sessionToken
				? "Check the subscription credits in the lead service's dashboard, or choose an API key. With an API key, Look Up spends API credits."
				: "Get more API credits in the lead service's dashboard.",
		];
	},
	forbidden: ({ text }, { endpoint, sessionToken }) => {
		const { secret } = credentialTerms(sessionToken);
		const network = 'Ask who runs your network whether n8n may connect to this address.';
		if (!ENDPOINTS[endpoint].costsCredits)
			return [
				'The lead service does not allow this preview (403)',
				`Check 'Base URL'. A preview needs no credential, so a firewall may have answered. ${network}`,
			];
		const permissions = `Check the permissions of the ${secret} in the lead service's dashboard.`;
		// A page of a firewall or proxy contains no message of the service.
		return text === undefined
			? [
					'The request was blocked (403), probably by a firewall or proxy',
					`${network} If it may: ${permissions.charAt(0).toLowerCase()}${permissions.slice(1)}`,
				]
			: [`The ${secret} is not allowed to do this (403)`, permissions];
	},
	proxyLogin: () => [
		'A proxy between n8n and the lead service asks for a login (407)',
		"Add a user name and a password to the proxy's address in n8n's environment (HTTP_PROXY, HTTPS_PROXY), or exclude the service from the proxy (NO_PROXY).",
	],
	refused: ({ status, text, advice }) => [
		`The lead service refused the request (${status})${text === undefined ? '' : `: ${text}`}`,
		advice ?? "Check the parameters of the node, especially 'Filters' and 'Options'.",
	],
	tooLargeForGateway: () => [
		'A gateway refused the request or its response as too large (413)',
		"Set 'Page Size' under Options to 25, or lower if requests for 25 are refused, too.",
	],
	notTheService: ({ status = 200, text = 'another address' }, { baseUrl }) => {
		let response = `Correct 'Base URL': ${baseUrl} returned something other than a list of results, for example a web page.`;
		if (status >= 300)
			response = `If you trust the new address, set 'Base URL' to it: ${baseUrl} redirects to ${text}. The node follows no redirects, because your key would be sent to another address.`;
		if (status >= 400)
			response = `Correct 'Base URL': nothing was found at ${baseUrl} (${status}).`;
		return ["The address in 'Base URL' doesn't look like the lead search service", response];
	},
	tooManyRequests: ({ retryAfterMs }) => [
		'Too many requests for the lead service (429)',
		!retryAfterMs
			? "Run again later. A larger 'Page Size' needs fewer requests."
			: `Run again after ${quantity(Math.ceil(retryAfterMs / 1000), 'second')}. The service asked for this delay.`,
	],
	serverDown: ({ status }) => [
		`The lead service could not process the request (${status})`,
		`Run again later. If this happens again, ${SMALLER_PAGES}, or contact the lead service.`,
	],
	upstreamDown: ({ status }, where) => [
		`${ENDPOINTS[where.endpoint].upstream} is not answering (${status})`,
		`Run again later. If this happens again, ${SMALLER_PAGES}.`,
	],
	unreachable: ({ code = 'no code' }, { baseUrl }) => {
		const fallback = code.startsWith('CONNECT')
			? 'A proxy did not connect n8n to the host'
			: 'No connection could be made';
		return [
			`Can't reach the lead service at ${baseUrl}`,
			`Check 'Base URL' (in the node, or else in the credential), and whether n8n may connect to this address. ${UNREACHABLE[code] ?? fallback} (${code}).`,
		];
	},
	notSent: ({ code = '', text = 'unknown' }, { baseUrl }) =>
		CERTIFICATE_CODE_PATTERN.test(code)
			? [
					`n8n does not trust the certificate of ${baseUrl} (${code})`,
					"If your network or service has a certificate authority of its own, set NODE_EXTRA_CA_CERTS in n8n's environment to its file. If not, check 'Base URL', or contact the lead service.",
				]
			: [
					'n8n did not send the request',
					`Check 'Base URL' and the settings of n8n. The reason: ${text}.`,
				],
	lostResponse: ({ code = '' }, where) =>
		['ETIMEDOUT', 'ECONNABORTED'].includes(code)
			? [
					`No complete response came within ${quantity(where.timeoutMs / 1000, 'second')}`,
					`Set a longer 'Timeout', or ${SMALLER_PAGES}.`,
				]
			: [
					'The connection was lost before the response was complete',
					`Run again later. If this happens again, ${SMALLER_PAGES}.`,
				],
	unreadable: () => [
		"The response can't be read",
		'Contact the lead service. The node did not retry, because the response would be the same.',
	],
	tooLarge: ({ text = '50 MB' }) => [
		`The response is larger than ${text}`,
		"Contact the lead service, or set 'Page Size' under Options to 25, because the node accepts more bytes per row if pages are small. The node stopped reading, because leads are far smaller.",
	],
	unsuccessful: () => [
		'The lead service did not carry out the request',
		'Check the parameters of the node. The service said that the request was not successful.',
	],
	protocolViolation: ({
		text = 'it does not match the documentation of the service',
		advice = 'If this happens again, contact the lead service.',
	}) => [`The lead service sent an unexpected response: ${text}`, advice],
	cancelled: (_, { isPoll }) =>
		isPoll
			? [
					"The lead service did not answer within n8n's time limit for a poll",
					"Set a lower 'Leads per Poll', or a smaller 'Page Size' under Options.",
				]
			: ['The execution was stopped', 'No further request was sent.'],
};

const UNREACHABLE: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The connection was refused',
	ECONNRESET: 'The host closed the connection before anything was sent',
	ETIMEDOUT: 'The host did not answer',
	ECONNABORTED: 'The host did not answer',
	ENOTFOUND: 'The host name was not found',
	EAI_AGAIN: 'The host name could not be resolved',
};
