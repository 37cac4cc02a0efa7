/** The way from a node to the lead service: n8n's helpers, the credential, the cancel signal. */
import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import { isSessionToken, readCredential } from '../api/authentication';
import { ENDPOINTS, type Endpoint } from '../api/contract';
import { requestPage, type OpenResponse, type Send } from '../api/request';
import type { Circumstances } from '../messages/failures';
import { asInvalid, formatInvalid } from '../messages/nodeErrors';
import type { Surroundings } from '../paging/run';
import { checkCredential } from '../parameters/credential';
import type { Task } from '../resources/operation';

const CREDENTIAL = 'leadSearchApi';

/** A node that runs over items, or one that polls. */
type NodeContext = IExecuteFunctions | IPollFunctions;

/** The way to an endpoint: what a run needs of it, and what messages tell of it. */
export interface ApiAccess
	extends
		Pick<Surroundings<Task>, 'send' | 'wait' | 'random' | 'isCancelled'>,
		Pick<Circumstances, 'endpoint' | 'baseUrl' | 'sessionToken'> {
	/** The credential's id; empty where none is used. */
	credentialId: string;
	/** The credential's Credit Ceiling; Infinity without. */
	ceiling: number;
	/** What nobody else shares: the address, the credential and its secret. */
	identity: unknown;
}

/**
 * Opens the way to an endpoint. One that costs no credits never touches the credential: its tasks have
 * an address of their own.
 *
 * @param cancelSignal ends requests and waits
 * @throws NodeOperationError for a credential that can't be used for the endpoint; nothing was sent
 */
export async function openApi(
	context: NodeContext,
	endpoint: Endpoint,
	cancelSignal: AbortSignal | undefined,
): Promise<ApiAccess> {
	const { baseUrl, sessionToken, ceiling, secrets, values } = ENDPOINTS[endpoint].costsCredits
		? await openCredential(context, endpoint)
		: NO_CREDENTIAL;
	const send = sendBy(context, values, cancelSignal);
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	return {
		endpoint,
		baseUrl,
		sessionToken,
		credentialId,
		ceiling,
		identity: [baseUrl, credentialId, secrets],
		async send(task, order) {
			const { timeoutMs } = task.settings;
			const connection = { send, timeoutMs, secrets, cancelSignal };
			const address = task.baseUrl ?? baseUrl;
			return await requestPage(connection, address, endpoint, task.body(order));
		},
		wait: async (milliseconds) => {
			await waitOrCancel(milliseconds, cancelSignal);
		},
		random: Math.random,
		isCancelled: () => cancelSignal?.aborted === true,
	};
}

/** What is known of the credential. */
interface OpenCredential extends Pick<ApiAccess, 'baseUrl' | 'sessionToken' | 'ceiling'> {
	secrets: string[];
	/** As n8n decrypted it; undefined where none is sent. */
	values?: ICredentialDataDecryptedObject;
}

const NO_CREDENTIAL: OpenCredential = {
	baseUrl: '',
	sessionToken: false,
	ceiling: Infinity,
	secrets: [],
};

async function openCredential(context: NodeContext, endpoint: Endpoint): Promise<OpenCredential> {
	if (!context.getNode().credentials?.[CREDENTIAL]) {
		throw asInvalid(context.getNode(), {
			message: 'No credential is chosen',
			description:
				'Choose one under Connect to Lead Search above. Count, Preview and Check URLs need none. Nothing was sent or charged.',
		});
	}
	const values = await context.getCredentials(CREDENTIAL);
	const credential = readCredential(values);
	const sessionToken = isSessionToken(credential);
	if (sessionToken && !ENDPOINTS[endpoint].takesSessionToken) {
		throw asInvalid(context.getNode(), {
			message: 'A session token works for LinkedIn lookup only; Search needs an API key',
			description:
				"Generate an API key in the lead service's dashboard, then set Authentication in the credential to an API key. Nothing was sent or charged.",
		});
	}
	try {
		const checked = checkCredential(values);
		return { ...checked, sessionToken, secrets: [credential.secret], values };
	} catch (thrown) {
		throw asInvalid(context.getNode(), formatInvalid(thrown, ' in the credential'));
	}
}

/** @param values of the credential: n8n gets it back with each request, or it would decrypt it each time */
function sendBy(
	context: NodeContext,
	values: ICredentialDataDecryptedObject | undefined,
	abortSignal: AbortSignal | undefined,
): Send {
	const { helpers } = context;
	const credential = { id: CREDENTIAL, name: CREDENTIAL, type: CREDENTIAL, data: values };
	return async (options) => {
		const request = { ...options, ...(abortSignal && { abortSignal }) };
		const response: unknown = values
			? await helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, request, {
					credentialsDecrypted: credential,
				})
			: await helpers.httpRequest(request);
		return response as OpenResponse;
	};
}

/** Waits, but not on after a cancel. Older versions of n8n know no signal in `sleep`, hence the race. */
async function waitOrCancel(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	const over = new AbortController();
	const cancelled = new Promise<unknown>((resolve) => {
		signal?.addEventListener('abort', resolve, { signal: over.signal });
	});
	await Promise.race([sleep(milliseconds, signal).catch(() => undefined), cancelled]);
	over.abort();
}
