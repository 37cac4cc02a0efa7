/** Tests the credential with a lookup that returns no rows, so it is free. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticationHeader, type LeadSearchCredential } from '../api/authentication';
import { isRejection } from '../api/failures';
import type { OpenResponse } from '../api/network';
import { requestPage, type Connection, type Send } from '../api/request';
import { credentialTerms, formatFailure } from '../messages/failures';
import { messageOf } from '../messages/nodeErrors';
import { checkCredential } from '../parameters/credential';

const TIMEOUT_MS = 30_000;

/** A profile that can't exist, because its name is longer than LinkedIn allows. */
const UNKNOWN_PROFILE_URL = `https://www.linkedin.com/in/${'n8n-credential-test-'.repeat(8)}`;

/**
 * Tests a credential for n8n's credential dialog. Never throws. The status is also 'Error' if the service
 * accepts the secret, but no credits are left.
 */
export async function leadSearchApiTest(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	let credential;
	try {
		credential = checkCredential(data);
	} catch (thrown) {
		return { status: 'Error', message: messageOf(thrown) };
	}
	const { baseUrl, secret } = credential;
	const send = createSend(this, credential);
	const connection: Connection = {
		send,
		timeoutMs: TIMEOUT_MS,
		secrets: [secret],
	};
	const lookUp = async (linkedinUrls: string[]) => {
		const body = { linkedinUrls, _page: 1, _per_page: 1, max_results: 1 };
		return await requestPage(connection, baseUrl, 'lookUp', body, body._per_page);
	};
	const emptyLookUp = await lookUp([]);
	// The service may check the list before the credential. If it rejects an empty list, send a list with a URL.
	const isRejected = 'failure' in emptyLookUp && isRejection(emptyLookUp.failure);
	const result = isRejected ? await lookUp([UNKNOWN_PROFILE_URL]) : emptyLookUp;
	const sessionToken = credential.authentication === 'sessionToken';
	const words = credentialTerms(sessionToken);
	const accepted = `The ${words.secret} was accepted`;
	if ('value' in result) return { status: 'OK', message: accepted };
	if (result.failure.kind === 'noCredits') {
		// An 'Error', because n8n shows no message for a test with the status 'OK'.
		const advice = "You can save the credential, and get credits in the lead service's dashboard.";
		return { status: 'Error', message: `${accepted}, but no ${words.credits} are left. ${advice}` };
	}
	const circumstances = {
		endpoint: 'lookUp',
		baseUrl,
		sessionToken,
		fetched: 0,
		isFree: true,
	} as const;
	const text = formatFailure(result.failure, { ...circumstances, timeoutMs: TIMEOUT_MS });
	return { status: 'Error', message: `${text.message}. ${text.description}` };
}

/** Uses n8n's older helper `request`, because a credential test has no `httpRequest`. */
function createSend({ helpers }: ICredentialTestFunctions, credential: LeadSearchCredential): Send {
	return async ({ url, body, headers, timeout }) =>
		(await helpers.request({
			uri: url,
			method: 'POST',
			body: JSON.stringify(body),
			headers: { ...headers, ...authenticationHeader(credential, url) },
			timeout,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
			useStream: true,
		})) as OpenResponse;
}
