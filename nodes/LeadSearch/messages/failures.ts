/**
 * What people read when the service or the network fails: what happened in the message, how to get
 * unstuck in the description. What was charged, and how to go on, `stoppedRun.ts` adds. All of it is
 * plain text; `nodeErrors.ts` makes it fit for the places that render HTML.
 */
import { ENDPOINTS, type Endpoint } from '../api/contract';
import { isCertificateCode, mayHaveBeenCharged, type Failure } from '../api/failures';
import { quantity } from './quantity';

/** What people read of a failure. */
export interface ErrorText {
	message: string;
	/** Never empty. */
	description: string;
}

/** Where a failure happened. */
export interface Circumstances {
	endpoint: Endpoint;
	/** Address that requests went to, without the endpoint's path. */
	baseUrl: string;
	/** Whether the credential holds a session token, which spends subscription credits. */
	sessionToken: boolean;
	/** Rows fetched before, of what was asked for. */
	fetched: number;
	/** For one request, in milliseconds. */
	timeoutMs: number;
	/** Whether the request asks for nothing that could be charged. */
	isFree?: boolean;
	/** Whether it is a poll, which nobody cancels but n8n, when it takes too long. */
	isPoll?: boolean;
}

/** Formats a failure of the service or the network. */
export function formatFailure(failure: Failure, where: Circumstances): ErrorText {
	const { kind, text } = failure;
	const { message, description } = FORMAT[kind](failure, where);
	const isSaid = text === undefined || (message + description).includes(text);
	const isPaid = ENDPOINTS[where.endpoint].costsCredits && !where.isFree;
	// Who stops an execution reads what it has cost; what a poll is stopped by, nobody has asked for.
	const isToldHere = isPaid && (kind !== 'cancelled' || where.isPoll);
	const charged = isToldHere && mayHaveBeenCharged(failure) ? '; it may have been charged' : '';
	return {
		// Plain text that stays harmless should anything render it as HTML.
		message: message.replaceAll('<', '‹').replaceAll('>', '›') + charged,
		description: isSaid ? description : `${description} The service said: "${text}".`,
	};
}

const FORMAT: Record<Failure['kind'], (failure: Failure, where: Circumstances) => ErrorText> = {
	unauthorized: (_, { endpoint, sessionToken }) => {
		if (!ENDPOINTS[endpoint].costsCredits) {
			return {
				message: 'The lead service asks for a credential even for a preview (401)',
				description: 'A preview needs none. Check that Base URL points to the lead search service.',
			};
		}
		const secret = sessionToken ? 'session token' : 'API key';
		return {
			message: `The ${secret} was not accepted (401)`,
			description: `Open the credential and enter the ${secret} from the lead service's dashboard again.`,
		};
	},

	noCredits: ({ atEndProbe }, { endpoint, sessionToken, fetched }) => {
		const { noun } = ENDPOINTS[endpoint];
		const rows = fetched > 0 || atEndProbe ? quantity(fetched, noun) : `no ${noun}s`;
		const before = atEndProbe
			? '; no credits left to tell whether more follow'
			: fetched > 0
				? ' before they ran out'
				: '';
		const credits = sessionToken ? 'subscription credits' : 'API credits';
		return {
			message: `Not enough ${credits} (402): ${rows} fetched${before}`,
			description: sessionToken
				? "Check the subscription credits in the lead service's dashboard. With an API key in the credential, Look Up spends API credits instead."
				: "Get more API credits in the lead service's dashboard, then run again.",
		};
	},

	refused: ({ status, text }) => ({
		message: `The lead service refused the request (${status})${text === undefined ? '' : `: ${text}`}`,
		description: 'Check the parameters of the node, above all Filters and Options.',
	}),

	notTheService: ({ status = 200, text = 'another address' }, { baseUrl }) => {
		const answer =
			status === 404
				? 'answered that there is nothing at this address (404).'
				: status >= 300
					? `redirects to ${text}. The node does not follow, since that would carry the key there. If you trust that address, set Base URL to it.`
					: 'answered with something other than a list of results, for example a web page.';
		return {
			message: "This doesn't look like the lead search service; check Base URL",
			description: `${baseUrl} ${answer}`,
		};
	},

	tooManyRequests: ({ retryAfterMs }) => ({
		message: 'Too many requests for the lead service (429)',
		description:
			retryAfterMs === undefined
				? 'Run again later. A larger Page Size takes fewer requests, and Max Retries makes the node wait longer.'
				: `The service asks to wait ${quantity(Math.ceil(retryAfterMs / 1000), 'second')}. Run again after that.`,
	}),

	serverDown: ({ status }) => ({
		message: `The lead service could not process the request (${status})`,
		description: 'Run again later. If it stays like this, contact the lead service.',
	}),

	upstreamDown: ({ status }, { endpoint }) => ({
		message: `${ENDPOINTS[endpoint].upstream} is not answering (${status})`,
		description: 'Run again later. A smaller Page Size may get through where a large one does not.',
	}),

	unreachable: ({ code = 'no code' }, { baseUrl }) => {
		const why = isCertificateCode(code)
			? 'The certificate of the host cannot be trusted'
			: 'No connection could be made';
		return {
			message: `Can't reach Base URL ${baseUrl}`,
			description: `${UNREACHABLE[code] ?? why} (${code}). Check Base URL, and that n8n may connect to this address.`,
		};
	},

	notSent: ({ text = 'No reason was given' }) => ({
		message: 'n8n did not send the request',
		description: `${text}. Check Base URL and the settings of this n8n.`,
	}),

	lostResponse: ({ code }, { timeoutMs }) =>
		code === 'ETIMEDOUT' || code === 'ECONNABORTED'
			? {
					message: `No complete answer within ${quantity(timeoutMs / 1000, 'second')}`,
					description: 'Set a longer Timeout or a smaller Page Size under Options.',
				}
			: {
					message: 'The connection was lost before the answer was complete',
					description:
						'Run again later. If it stays like this, set a smaller Page Size under Options.',
				},

	unreadable: () => ({
		message: 'The answer is not readable',
		description:
			'It was not asked for again, since it would be the same. Contact the lead service.',
	}),

	tooLarge: () => ({
		message: 'The answer is larger than 100 MB',
		description: 'Set a smaller Page Size under Options.',
	}),

	unsuccessful: ({ text = 'The lead service did not carry out the request' }) => ({
		message: text,
		description:
			'The lead service answered that it was not successful. Check the parameters of the node.',
	}),

	protocolViolation: ({ text = 'it does not match the documentation of the service' }) => ({
		message: `The lead service sent an unexpected answer: ${text}`,
		description: 'Contact the lead service if it stays like this.',
	}),

	cancelled: (_, { isPoll }) =>
		isPoll
			? {
					message: 'The lead service did not answer within the time that n8n gives a poll',
					description: 'Set fewer Leads per Poll, or a smaller Page Size under Options.',
				}
			: { message: 'The execution was stopped', description: 'No further request was sent.' },
};

const UNREACHABLE: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'The connection was refused',
	ENOTFOUND: 'The host name was not found',
	EAI_AGAIN: 'The host name could not be looked up',
};
