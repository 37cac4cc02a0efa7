/** The way from a node to the lead service: n8n's helpers, the credential, the cancel signal. */
import {
	NodeOperationError,
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import {
	complaintAboutSecret,
	readCredential,
	secretLabel,
	secretOf,
} from '../service/authentication';
import { readBaseUrl } from '../service/baseUrl';
import { postJson, type OpenAnswer, type Send } from '../service/connection';
import { ENDPOINT_PATH, type Endpoint } from '../service/contract';
import type { Pull } from '../service/pull';
import { BASE_URL_ADVICE, type Fetching } from './itemParameters';
import type { Job } from './operation';

const CREDENTIAL = 'leadSearchApi';

/** A node that runs over items, or one that polls. */
type NodeContext = IExecuteFunctions | IPollFunctions;

/** Everything a job needs to reach the service. */
export interface Access {
	/** The credential's address; empty for preview, which has its own. */
	baseUrl: string;
	/** Whether the credential holds a session token. */
	sessionToken: boolean;
	/** The part of a pull that reaches outside. */
	pullThrough(
		endpoint: Endpoint,
		job: Job,
		fetching: Fetching,
	): Pick<Pull, 'fetchPage' | 'maxRetries' | 'wait' | 'random' | 'cancelSignal'>;
}

/**
 * Opens the way to an endpoint. Preview never touches the credential.
 *
 * @param cancelSignal ends requests and waits
 * @throws NodeOperationError for a credential that can't be used for the endpoint; nothing was sent
 */
export async function openAccess(
	context: NodeContext,
	endpoint: Endpoint,
	cancelSignal: AbortSignal | undefined,
): Promise<Access> {
	const { baseUrl, sessionToken, secrets, values } =
		endpoint === 'preview' ? NO_CREDENTIAL : await openCredential(context, endpoint);
	const send = values
		? sendWith(context, values, cancelSignal)
		: sendWithout(context, cancelSignal);
	return {
		baseUrl,
		sessionToken,
		pullThrough: (to, job, { maxRetries, timeoutMs }) => ({
			fetchPage: async (ask) => {
				const url = (job.baseUrl ?? baseUrl) + ENDPOINT_PATH[to];
				const connection = { send, timeoutMs, secrets, now: Date.now, cancelSignal };
				const answer = await postJson(connection, url, job.body(ask));
				return 'failure' in answer ? answer : job.readPage(answer.value, secrets);
			},
			maxRetries,
			wait: async (milliseconds) => {
				await waitOrCancel(milliseconds, cancelSignal);
			},
			random: Math.random,
			cancelSignal,
		}),
	};
}

/** What is known of the credential. */
interface OpenCredential extends Pick<Access, 'baseUrl' | 'sessionToken'> {
	secrets: string[];
	/** As n8n decrypted it; undefined where none is sent. */
	values?: ICredentialDataDecryptedObject;
}

const NO_CREDENTIAL: OpenCredential = { baseUrl: '', sessionToken: false, secrets: [] };

async function openCredential(context: NodeContext, endpoint: Endpoint): Promise<OpenCredential> {
	const values = await context.getCredentials(CREDENTIAL);
	const credential = readCredential(values);
	const refuse = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	const sessionToken = credential.authentication === 'sessionToken';
	if (sessionToken && endpoint === 'search') {
		throw refuse(
			'A session token works for LinkedIn lookup only; Search needs an API key',
			"Generate an API key in the lead service's dashboard, then set Authentication in the credential to an API key. Nothing was sent or charged.",
		);
	}
	const reading = readBaseUrl(credential.baseUrl);
	if ('complaint' in reading) {
		throw refuse(`'Base URL' in the credential ${reading.complaint}`, BASE_URL_ADVICE);
	}
	const complaint = complaintAboutSecret(credential);
	if (complaint !== undefined) {
		const label = secretLabel(credential);
		throw refuse(
			`'${label}' in the credential ${complaint}`,
			`Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	return { baseUrl: reading.url, sessionToken, secrets: [secretOf(credential)], values };
}

/** Hands n8n the credential back with each request; it would read and decrypt it each time. */
function sendWith(
	context: NodeContext,
	values: ICredentialDataDecryptedObject,
	abortSignal: AbortSignal | undefined,
): Send {
	const credentialsDecrypted = {
		id: CREDENTIAL,
		name: CREDENTIAL,
		type: CREDENTIAL,
		data: values,
	};
	return async (request) =>
		(await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			{ ...request, ...(abortSignal && { abortSignal }) },
			{ credentialsDecrypted },
		)) as OpenAnswer;
}

function sendWithout(context: NodeContext, abortSignal: AbortSignal | undefined): Send {
	return async (request) =>
		(await context.helpers.httpRequest({
			...request,
			...(abortSignal && { abortSignal }),
		})) as OpenAnswer;
}

/** Waits, but not on after a cancel. Older versions of n8n know no signal in `sleep`, hence the race. */
async function waitOrCancel(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (!signal) {
		await sleep(milliseconds);
		return;
	}
	if (signal.aborted) return;
	let stop: () => void = () => undefined;
	const cancelled = new Promise<void>((resolve) => {
		stop = resolve;
	});
	signal.addEventListener('abort', stop, { once: true });
	const slept = sleep(milliseconds, signal).catch(() => undefined);
	await Promise.race([slept, cancelled]);
	signal.removeEventListener('abort', stop);
}
