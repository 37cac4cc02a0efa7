/** The test of the credential: a lookup that returns no row, and so costs nothing. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticationHeader, type LeadSearchCredential } from '../api/authentication';
import { isRejection } from '../api/failures';
import type { OpenResponse } from '../api/network';
import { requestPage, type Send } from '../api/request';
import { credentialTerms, formatFailure } from '../messages/failures';
import { messageOf } from '../messages/nodeErrors';
import { checkCredential } from '../parameters/credential';

const TIMEOUT_MS = 30_000;

/** Nobody's profile: longer than any name that LinkedIn gives out. */
const UNKNOWN_PROFILE_URL = `https://www.linkedin.com/in/${'n8n-credential-test-'.repeat(8)}`;

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
	const connection = { send, timeoutMs: TIMEOUT_MS, secrets: [secret] };
	const lookUp = async (linkedinUrls: string[]) => {
		const body = { linkedinUrls, _page: 1, _per_page: 1, max_results: 1 };
		return await requestPage(connection, baseUrl, 'lookUp', body, body._per_page);
	};
	const emptyLookUp = await lookUp([]);
	// A service may check the list before the credential, so a refusal says nothing about the latter.
	const isRejected = 'failure' in emptyLookUp && isRejection(emptyLookUp.failure);
	const result = isRejected ? await lookUp([UNKNOWN_PROFILE_URL]) : emptyLookUp;
	const sessionToken = credential.authentication === 'sessionToken';
	const words = credentialTerms(sessionToken);
	const accepted = `The ${words.secret} was accepted`;
	if ('value' in result) return { status: 'OK', message: accepted };
	if (result.failure.kind === 'noCredits') {
		// Shown in red, since n8n shows no words of ours for a test that went well.
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

/** Credential tests have only n8n's older request helper; it speaks another dialect. */
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
