/** The way from a node to the lead service: n8n's helpers, the credential, the cancel signal. */
import { sleep, type IExecuteFunctions, type IPollFunctions } from 'n8n-workflow';

import { ENDPOINTS, type Endpoint } from '../api/contract';
import type { Failure } from '../api/failures';
import type { OpenResponse } from '../api/network';
import { requestPage, type Send } from '../api/request';
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

/** The way to an endpoint: what a run needs of it, and what messages tell of it. */
export type ApiAccess = Awaited<ReturnType<typeof openApi>>;

/** Tasks that cost no credits have an address of their own. */
const NO_CREDENTIAL = {
	baseUrl: '',
	sessionToken: false,
	ceiling: Infinity,
	secrets: [],
	values: undefined,
};

/**
 * Opens the way to an endpoint. One that costs no credits never touches the credential.
 *
 * @param cancelSignal after which nothing is sent or waited for
 * @param items the input items that are to use it
 * @param abandonSignal ends requests that are on their way
 * @throws NodeOperationError for a credential that can't be used there; nothing was sent
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
	const credentialId = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	// n8n gets the values back with each request, or it would decrypt them each time.
	const named = { id: CREDENTIAL, name: CREDENTIAL, type: CREDENTIAL };
	const send: Send = async (request) => {
		// n8n ends requests by the signal of the context, whichever they come with.
		const sender = Object.create(context, {
			getExecutionCancelSignal: { value: () => request.abortSignal },
		}) as NodeContext;
		const response: unknown = values
			? await helpers.httpRequestWithAuthentication.call(sender, CREDENTIAL, request, {
					credentialsDecrypted: { ...named, data: values },
				})
			: await helpers.httpRequest(request);
		return response as OpenResponse;
	};
	return {
		endpoint,
		baseUrl,
		sessionToken,
		/** Empty where no credential is used. */
		credentialId,
		/** Whose results are reused: a new key in a credential changes nothing, but a credential by expression is whose it comes to. */
		account: [credentialId, ...(values?.mayVaryByItem === true ? secrets : [])],
		/** The credential's Credit Ceiling; Infinity without. */
		ceiling,
		send: async (task: Task, request: PageRequest) => {
			const { timeoutMs } = task.settings;
			// One for each request: Node warns of more than ten listeners.
			const cancelSignal = abandonSignal && AbortSignal.any([abandonSignal]);
			const rest = () => sleep(0);
			const connection = { send, timeoutMs, secrets, cancelSignal, rest };
			const address = task.baseUrl ?? baseUrl;
			return await requestPage(connection, address, endpoint, task.body(request), request.size);
		},
		// Older versions of n8n know no signal in `sleep`.
		wait: async (milliseconds: number) => {
			if (cancelSignal?.aborted) return;
			await waitOrCancel(
				sleep(milliseconds, cancelSignal).catch(() => undefined),
				cancelSignal,
			);
		},
		// Without a line in the log, waits of minutes would look as if n8n hung.
		onWait: ({ status }: Failure, milliseconds: number) => {
			const came = status === undefined ? 'no answer came' : `the lead service answered ${status}`;
			const seconds = quantity(Math.ceil(milliseconds / 1000), 'second');
			log('info', `${came}; asking again in ${seconds}`);
		},
		random: Math.random,
		isCancelled: () => cancelSignal?.aborted === true,
	};
}

/**
 * @returns the address in the credential that the node has, for what is free and needs nothing else of it; undefined
 * where none is chosen
 * @throws NodeOperationError where it is no address
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
		throw configurationError(node, formatInvalid(thrown, 'credential'));
	}
}

/** @returns the credential for all of these input items @throws NodeOperationError where some of them have another */
async function credentialFor(context: NodeContext, [first = 0, ...rest]: readonly number[]) {
	const values = await context.getCredentials(CREDENTIAL, first);
	// n8n reads and decrypts it each time, so only where an expression may come to something else.
	for (const item of values.mayVaryByItem === true ? rest : []) {
		const ofItem = await context.getCredentials(CREDENTIAL, item);
		if (toCanonicalJson(ofItem) === toCanonicalJson(values)) continue;
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
				'Choose one under Connect to Lead Search above. Count, Preview and Check URLs need none. Nothing was sent or charged.',
		});
	}
	const values = await credentialFor(context, items);
	let checked;
	try {
		checked = checkCredential(values);
	} catch (thrown) {
		throw configurationError(node, formatInvalid(thrown, 'credential'));
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
