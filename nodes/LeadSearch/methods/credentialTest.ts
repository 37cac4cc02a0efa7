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
import type { Page } from '../api/contract';
import { isRefusal, type Failure, type Outcome } from '../api/failures';
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
	let baseUrl: string;
	try {
		({ baseUrl } = checkCredential(credential));
	} catch (thrown) {
		return refuse(messageOf(thrown));
	}
	const connection = {
		send: sendBy(this, credential),
		timeoutMs: TIMEOUT_MS,
		secrets: [credential.secret],
		now: Date.now,
	};
	const lookUp = async (linkedinUrls: string[]): Promise<Outcome<Page>> => {
		const body = { linkedinUrls, _page: 1, _per_page: 1, max_results: 1 };
		return await requestPage(connection, baseUrl, 'lookUp', body);
	};
	const empty = await lookUp([]);
	// A service may check the list before the credential, so a refusal says nothing about the latter.
	const result =
		'failure' in empty && isRefusal(empty.failure) ? await lookUp([NO_PROFILE]) : empty;
	const sessionToken = isSessionToken(credential);
	if ('failure' in result) return explain(result.failure, baseUrl, sessionToken);
	return { status: 'OK', message: `The ${nameOf(sessionToken)} was accepted` };
}

function explain(
	failure: Failure,
	baseUrl: string,
	sessionToken: boolean,
): INodeCredentialTestResult {
	if (failure.kind === 'noCredits') {
		// Shown in red, since n8n shows no words of ours for a test that went well.
		const credits = sessionToken ? 'subscription credits' : 'API credits';
		return refuse(
			`The ${nameOf(sessionToken)} was accepted, but no ${credits} are left. You can save it and get credits in the lead service's dashboard.`,
		);
	}
	const { message, description } = formatFailure(failure, {
		endpoint: 'lookUp',
		baseUrl,
		sessionToken,
		fetched: 0,
		timeoutMs: TIMEOUT_MS,
		isFree: true,
	});
	return refuse(`${message}. ${description}`);
}

function nameOf(sessionToken: boolean): string {
	return sessionToken ? 'session token' : 'API key';
}

function refuse(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** Credential tests have only n8n's older request helper; it speaks another dialect. */
function sendBy({ helpers }: ICredentialTestFunctions, credential: LeadSearchCredential): Send {
	return async (request) =>
		(await helpers.request({
			uri: request.url,
			method: 'POST',
			body: JSON.stringify(request.body),
			headers: { ...request.headers, ...authenticationHeader(credential, request.url) },
			timeout: request.timeout,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
			useStream: true,
		})) as OpenResponse;
}
