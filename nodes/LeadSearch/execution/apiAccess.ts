/** The way from a node to the lead service: n8n's helpers, the credential, the cancel signal. */
import {
	sleep,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IPollFunctions,
} from 'n8n-workflow';

import { isSessionToken, readCredential } from '../api/authentication';
import { ENDPOINTS, type Endpoint, type Page } from '../api/contract';
import type { Outcome } from '../api/failures';
import { postJson, type OpenResponse, type Send } from '../api/request';
import { readPage } from '../api/response';
import { asInvalid, formatInvalid } from '../messages/nodeErrors';
import type { Order } from '../paging/ledger';
import type { Surroundings } from '../paging/run';
import { checkCredential } from '../parameters/credential';
import type { Task } from '../resources/operation';

const CREDENTIAL = 'leadSearchApi';

/** A node that runs over items, or one that polls. */
type NodeContext = IExecuteFunctions | IPollFunctions;

/** The way to an endpoint: what a run needs of it, and what messages tell of it. */
export interface ApiAccess extends Pick<
	Surroundings<Task>,
	'send' | 'wait' | 'random' | 'isCancelled'
> {
	/** The credential's address; empty for an operation that needs none, which has its own. */
	baseUrl: string;
	/** Whether the credential holds a session token. */
	sessionToken: boolean;
	/** The credential's id; empty where none is used. */
	credentialId: string;
	/** The credential's Credit Ceiling; Infinity without. */
	ceiling: number;
	/** What nobody else shares: the address, the credential and its secret. */
	identity: unknown;
}

/**
 * Opens the way to an endpoint. One that costs no credits never touches the credential.
 *
 * @param cancelSignal ends requests and waits
 * @throws NodeOperationError for a credential that can't be used for the endpoint; nothing was sent
 */
export async function openApi(
	context: NodeContext,
	endpoint: Endpoint,
	cancelSignal: AbortSignal | undefined,
): Promise<ApiAccess> {
	const { path, costsCredits } = ENDPOINTS[endpoint];
	const { baseUrl, sessionToken, ceiling, secrets, values } = costsCredits
		? await openCredential(context, endpoint)
		: NO_CREDENTIAL;
	const send = values
		? sendWith(context, values, cancelSignal)
		: sendWithout(context, cancelSignal);
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	return {
		baseUrl,
		sessionToken,
		credentialId,
		ceiling,
		identity: [baseUrl, credentialId, secrets],
		async send(task: Task, order: Order): Promise<Outcome<Page>> {
			const { timeoutMs } = task.settings;
			const connection = { send, timeoutMs, secrets, now: Date.now, cancelSignal };
			const url = (task.baseUrl ?? baseUrl) + path;
			const response = await postJson(connection, url, task.body(order));
			return 'failure' in response ? response : readPage(response.value, endpoint);
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
		const checked = checkCredential(credential);
		return { ...checked, sessionToken, secrets: [credential.secret], values };
	} catch (thrown) {
		throw asInvalid(context.getNode(), formatInvalid(thrown, ' in the credential'));
	}
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
		)) as OpenResponse;
}

function sendWithout(context: NodeContext, abortSignal: AbortSignal | undefined): Send {
	return async (request) =>
		(await context.helpers.httpRequest({
			...request,
			...(abortSignal && { abortSignal }),
		})) as OpenResponse;
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
