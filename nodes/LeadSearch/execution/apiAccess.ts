/** Connects a node to the lead service: sends requests by n8n's helpers, with the credential, until a cancel. */
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

/**
 * An open connection to an endpoint of the service. It contains the functions that send requests and wait between
 * them. It also contains facts about the credential, such as its Base URL and its Credit Ceiling, which the spending
 * limits, the cache and the messages need.
 */
export type ApiAccess = Awaited<ReturnType<typeof openApi>>;

/**
 * The values that replace a credential in free operations, which send requests without one. The address is empty
 * here, because each task of a free operation contains the address of the service (`task.baseUrl`).
 */
const NO_CREDENTIAL = {
	baseUrl: '',
	sessionToken: false,
	ceiling: Infinity,
	secrets: [],
	values: undefined,
};

/**
 * Opens a connection to an endpoint: reads and checks the credential, and returns the functions that send requests.
 * Nothing is sent yet. If the endpoint is free, the credential isn't read.
 *
 * @param cancelSignal the signal that the run is cancelled. If it aborts, waits end, and `isCancelled` returns true,
 * so that the caller sends nothing more
 * @param items the indexes of the input items that send requests over the connection. If the credential contains
 * expressions, it must be the same for all of these items
 * @param abandonSignal the signal that ends requests in flight. It can abort some seconds after `cancelSignal`, so
 * that responses that are charged anyway can still arrive. If it is left out, `cancelSignal` ends these requests
 * @throws NodeOperationError if the credential can't be used for this endpoint; nothing was sent
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
		/** The ID of n8n's credential; an empty string if no credential is used. */
		credentialId,
		/** The name of the credential in the workflow; an empty string if no credential is used. */
		credentialName,
		/**
		 * Identifies the account, so that only its own results are reused. A new key in the same credential doesn't
		 * change the account. If fields of the credential are expressions, the secrets are a part of it, because one
		 * credential can then contain the keys of several accounts.
		 */
		account: [credentialId, ...(values?.mayVaryByItem === true ? secrets : [])],
		/** The credential's Credit Ceiling; Infinity if it has none. */
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
 * Returns the Base URL of the node's credential. Free operations need only this value of the credential.
 *
 * @param items the indexes of the input items for which the Base URL is read
 * @returns undefined if no credential is chosen in the node
 * @throws NodeOperationError if the Base URL isn't a usable URL, or if the credential differs between the items
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

/**
 * Returns the values of the credential, which must be the same for all of these input items. They can differ if
 * fields of the credential are expressions.
 *
 * @param items the indexes of the input items
 * @throws NodeOperationError if the values differ between the items
 */
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
