/** The test of the credential: a lookup that returns no row, and so costs nothing. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	authenticationHeader,
	isSessionToken,
	readCredential,
	type LeadSearchCredential,
} from '../api/authentication';
import { isRefusal } from '../api/failures';
import { requestPage, type OpenResponse, type Send } from '../api/request';
import { formatFailure } from '../messages/failures';
import { messageOf } from '../messages/nodeErrors';
import { checkCredential } from '../parameters/credential';

const TIMEOUT_MS = 30_000;

/** Nobody's profile: longer than any name that LinkedIn gives out. */
const NO_PROFILE = `https://www.linkedin.com/in/${'n8n-credential-test-'.repeat(8)}`;

export async function leadSearchApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = readCredential(data ?? {});
	try {
		const { baseUrl } = checkCredential(credential);
		const refusal = await refusalOf(credential, baseUrl, sendBy(this, credential));
		if (refusal !== undefined) return { status: 'Error', message: refusal };
	} catch (thrown) {
		return { status: 'Error', message: messageOf(thrown) };
	}
	return { status: 'OK', message: `The ${nameOf(credential)} was accepted` };
}

/** @returns why the credential can't be used, for people; undefined where it can */
async function refusalOf(
	credential: LeadSearchCredential,
	baseUrl: string,
	send: Send,
): Promise<string | undefined> {
	const { secret } = credential;
	const connection = { send, timeoutMs: TIMEOUT_MS, secrets: [secret], now: Date.now };
	const lookUp = async (linkedinUrls: string[]) => {
		const body = { linkedinUrls, _page: 1, _per_page: 1, max_results: 1 };
		return await requestPage(connection, baseUrl, 'lookUp', body);
	};
	const empty = await lookUp([]);
	// A service may check the list before the credential, so a refusal says nothing about the latter.
	const isRefused = 'failure' in empty && isRefusal(empty.failure);
	const result = isRefused ? await lookUp([NO_PROFILE]) : empty;
	if ('value' in result) return undefined;
	const sessionToken = isSessionToken(credential);
	if (result.failure.kind === 'noCredits') {
		// Shown in red, since n8n shows no words of ours for a test that went well.
		const credits = sessionToken ? 'subscription credits' : 'API credits';
		return `The ${nameOf(credential)} was accepted, but no ${credits} are left. You can save it and get credits in the lead service's dashboard.`;
	}
	const { message, description } = formatFailure(result.failure, {
		endpoint: 'lookUp',
		baseUrl,
		sessionToken,
		fetched: 0,
		timeoutMs: TIMEOUT_MS,
		isFree: true,
	});
	return `${message}. ${description}`;
}

function nameOf(credential: LeadSearchCredential): string {
	return isSessionToken(credential) ? 'session token' : 'API key';
}

/** Credential tests have only n8n's older request helper; it speaks another dialect. */
function sendBy({ helpers }: ICredentialTestFunctions, credential: LeadSearchCredential): Send {
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
