/** The test of the credential: an empty lookup, which costs nothing, told in words. */
import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	authenticationHeader,
	complaintAboutSecret,
	readCredential,
	secretLabel,
	secretOf,
	type LeadSearchCredential,
} from '../service/authentication';
import { readPaidPage } from '../service/answer';
import { readBaseUrl } from '../service/baseUrl';
import { postJson, type OpenAnswer, type Send } from '../service/connection';
import { ENDPOINT_PATH } from '../service/contract';
import type { Failure } from '../service/failures';
import { tellFailure } from './failureMessages';

const TIMEOUT_MS = 30_000;

export async function leadSearchApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credential = readCredential(data ?? {});
	const reading = readBaseUrl(credential.baseUrl);
	if ('complaint' in reading) return refuse(`'Base URL' ${reading.complaint}`);
	const complaint = complaintAboutSecret(credential);
	if (complaint !== undefined) return refuse(`'${secretLabel(credential)}' ${complaint}`);

	const url = reading.url + ENDPOINT_PATH.lookUp;
	const send = sendBy(this, authenticationHeader(credential, url));
	const connection = {
		send,
		timeoutMs: TIMEOUT_MS,
		secrets: [secretOf(credential)],
		now: Date.now,
	};
	const answer = await postJson(connection, url, { linkedinUrls: [] });
	const page =
		'failure' in answer ? answer : readPaidPage(answer.value, 'data', connection.secrets);
	if ('failure' in page) return tell(page.failure, credential, reading.url);
	return { status: 'OK', message: `The ${nameOf(credential)} was accepted` };
}

function tell(
	failure: Failure,
	credential: LeadSearchCredential,
	baseUrl: string,
): INodeCredentialTestResult {
	const sessionToken = credential.authentication === 'sessionToken';
	if (failure.kind === 'noCredits') {
		// Shown in red, since n8n shows no words of ours for a test that went well.
		const credits = sessionToken ? 'subscription credits' : 'API credits';
		return refuse(
			`The ${nameOf(credential)} was accepted, but no ${credits} are left. You can save it and get credits in the lead service's dashboard.`,
		);
	}
	const told = tellFailure(failure, {
		endpoint: 'lookUp',
		baseUrl,
		sessionToken,
		fetched: 0,
		timeoutMs: TIMEOUT_MS,
	});
	return refuse(`${told.message}. ${told.description}`);
}

function nameOf(credential: LeadSearchCredential): string {
	return credential.authentication === 'sessionToken' ? 'session token' : 'API key';
}

function refuse(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

/** Credential tests have only n8n's older request helper; it speaks another dialect. */
function sendBy({ helpers }: ICredentialTestFunctions, headers: Record<string, string>): Send {
	return async (request) =>
		(await helpers.request({
			uri: request.url,
			method: 'POST',
			body: JSON.stringify(request.body),
			headers: { ...(request.headers as Record<string, string>), ...headers },
			timeout: request.timeout,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
			useStream: true,
		})) as OpenAnswer;
}
