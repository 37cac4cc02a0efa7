/** Sends requests to the lead service by n8n's helpers, with the credential. */
import { sleep, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { Failure } from '../api/failures';
import type { OpenResponse } from '../api/network';
import { requestPage, type Connection, type Send } from '../api/request';
import { configurationError, formatInvalid, formatSeveralAccounts } from '../messages/nodeErrors';
import { quantity } from '../messages/quantity';
import type { PageRequest } from '../paging/job';
import { readBaseUrl } from '../parameters/baseUrl';
import { toCanonicalJson } from '../parameters/canonical';
import { checkCredential } from '../parameters/credential';
import type { Task } from '../resources/operation';
import { logOf } from '../spending/log';
import { waitOrCancel } from '../api/cancel';

const CREDENTIAL = 'leadSearchApi';

type NodeContext = IExecuteFunctions | IPollFunctions;

export type ApiAccess = Awaited<ReturnType<typeof openApi>>;

/** Free operations send no credential. Each of their tasks has the address (`task.baseUrl`). */
const NO_CREDENTIAL = {
	baseUrl: '',
	sessionToken: false,
	ceiling: Infinity,
	secrets: [],
	values: undefined,
};

/**
 * Reads the credential, and returns functions that send requests with it and wait. It sends nothing yet. `cancelSignal`
 * ends waits. `abandonSignal` ends requests in flight: it can abort some seconds later, so that responses that are
 * charged anyway still arrive.
 *
 * @throws NodeOperationError if the credential can't be used for this endpoint, or if it differs between `items`
 */
export async function openApi(
	context: NodeContext,
	endpoint: Endpoint,
	cancelSignal: AbortSignal | undefined,
	items: readonly number[] = [],
	abandonSignal = cancelSignal,
) {
	const { baseUrl, sessionToken, ceiling, secrets, values } = ENDPOINTS[endpoint].costsCredits
		? await openCredential(context, endpoint, items)
		: NO_CREDENTIAL;
	const { helpers } = context;
	const log = logOf(context);
	const { id, name: credentialName = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const credentialId = id ?? '';
	// Each request passes the decrypted values to n8n. Otherwise n8n would decrypt them again for each request.
	const credential = { id: CREDENTIAL, name: CREDENTIAL, type: CREDENTIAL };
	const sendHttp: Send = async (request) => {
		// n8n aborts requests by the signal of the context, and ignores the signal of the request.
		const contextWithSignal = Object.create(context, {
			getExecutionCancelSignal: { value: () => request.abortSignal },
		}) as NodeContext;
		const response: unknown = values
			? await helpers.httpRequestWithAuthentication.call(contextWithSignal, CREDENTIAL, request, {
					credentialsDecrypted: { ...credential, data: values },
				})
			: await helpers.httpRequest(request);
		return response as OpenResponse;
	};
	return {
		endpoint,
		baseUrl,
		sessionToken,
		credentialId,
		credentialName,
		/**
		 * Identifies the account in cache keys. A new key in the same credential doesn't change it. If fields of the
		 * credential are expressions, the secrets are a part of it, because one credential can then contain the keys of
		 * several accounts.
		 */
		account: [credentialId, ...(values?.mayVaryByItem === true ? secrets : [])],
		ceiling,
		send: async (task: Task, request: PageRequest) => {
			const { timeoutMs } = task.settings;
			// Each request has its own signal, because Node.js warns if a signal has more than ten listeners.
			const ownSignal = abandonSignal && AbortSignal.any([abandonSignal]);
			const connection: Connection = {
				send: sendHttp,
				timeoutMs,
				secrets,
				abandonSignal: ownSignal,
			};
			const address = task.baseUrl ?? baseUrl;
			return await requestPage(connection, address, endpoint, task.body(request), request.size);
		},
		// Older versions of n8n have a `sleep` that ignores the signal.
		wait: async (milliseconds: number) => {
			if (cancelSignal?.aborted) return;
			await waitOrCancel(
				sleep(milliseconds, cancelSignal).catch(() => undefined),
				cancelSignal,
			);
		},
		// Without a line in the log, n8n would seem to hang during waits of minutes.
		onWait: ({ status }: Failure, milliseconds: number) => {
			const event =
				status === undefined
					? 'the lead service did not respond'
					: `the lead service responded with ${status}`;
			const seconds = quantity(Math.ceil(milliseconds / 1000), 'second');
			log('info', `${event}; retrying in ${seconds}`);
		},
		random: Math.random,
		isCancelled: () => cancelSignal?.aborted === true,
	};
}

/**
 * @returns the credential's Base URL; undefined if no credential is chosen
 * @throws NodeOperationError if the Base URL isn't a usable URL, or if the credential differs between `items`
 */
export async function readCredentialAddress(
	context: NodeContext,
	items: readonly number[],
): Promise<string | undefined> {
	const node = context.getNode();
	if (!node.credentials?.[CREDENTIAL]) return undefined;
	const { baseUrl } = await credentialFor(context, items);
	try {
		return readBaseUrl(baseUrl);
	} catch (thrown) {
		throw configurationError(node, formatInvalid(thrown, ' in the credential'));
	}
}

async function credentialFor(context: NodeContext, [first = 0, ...others]: readonly number[]) {
	const values = await context.getCredentials(CREDENTIAL, first);
	// n8n reads and decrypts the credential each time, so this is done only if an expression can differ by item.
	for (const item of values.mayVaryByItem === true ? others : []) {
		const itemValues = await context.getCredentials(CREDENTIAL, item);
		if (toCanonicalJson(itemValues) === toCanonicalJson(values)) continue;
		throw configurationError(context.getNode(), formatSeveralAccounts(first, item));
	}
	return values;
}

async function openCredential(context: NodeContext, endpoint: Endpoint, items: readonly number[]) {
	const node = context.getNode();
	if (!node.credentials?.[CREDENTIAL]) {
		throw configurationError(node, {
			message: 'No credential is chosen',
			description:
				"Choose a credential under 'Connect to Lead Search' in the node. Count, Preview and Check URLs need none. Nothing was sent or charged.",
		});
	}
	const values = await credentialFor(context, items);
	let checked;
	try {
		checked = checkCredential(values);
	} catch (thrown) {
		throw configurationError(node, formatInvalid(thrown, ' in the credential'));
	}
	const sessionToken = checked.authentication === 'sessionToken';
	if (sessionToken && !ENDPOINTS[endpoint].takesSessionToken) {
		throw configurationError(node, {
			message: 'A session token works for LinkedIn lookup only; Search needs an API key',
			description:
				"Generate an API key in the lead service's dashboard, then set 'Authentication' in the credential to an API key. Nothing was sent or charged.",
		});
	}
	return { ...checked, sessionToken, secrets: [checked.secret], values };
}
