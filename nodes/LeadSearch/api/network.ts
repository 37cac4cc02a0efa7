/** Converts errors of n8n's HTTP helper into failures, and decides whether anything was sent. */
import { isObject, type Json } from './contract';
import type { Failure } from './failures';

/** A response with a body that isn't read yet. */
export interface OpenResponse {
	statusCode: number;
	/** The names are in lower case. */
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/**
 * Matches the error codes of Node.js for certificates that it doesn't trust. Node.js checks the certificate before it
 * sends anything.
 */
export const CERTIFICATE_CODE_PATTERN =
	/(?:^|_)(?:CERT|CRL)(?:_|$)|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;

/** Matches error codes that mean that no connection was made, so nothing was sent or charged. */
const NOT_CONNECTED_CODES =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|E(?:HOST|NET)UNREACH|EHOSTDOWN|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$/;

/** If an error names one of these system calls, no connection was made, whatever the error's `code` is. */
const CONNECT_SYSCALLS = /^(?:connect|getaddrinfo)$/;

/**
 * A part of the message of Node.js if the host closes the connection before TLS is established. The error code is the
 * same if a connection is lost later, after the request was sent.
 */
const TLS_NOT_ESTABLISHED = 'before secure TLS connection was established';

/** Matches error codes of zlib and of Node's HTTP parser: a response arrived and can't be decoded. */
const UNDECODABLE_CODES = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_|HPE_)/;

const MAX_CAUSES = 5;

/**
 * Converts an error of a request or of a response body into a failure.
 *
 * @param status the HTTP status of the response; undefined if no response had started
 */
export function failureFromNetwork(thrown: unknown, status?: number): Failure {
	const causes = listCauses(thrown);
	const code = causes.map((error) => error.code).find((text) => typeof text === 'string') ?? '';
	// A retry would get the same certificate.
	if (CERTIFICATE_CODE_PATTERN.test(code)) return { kind: 'notSent', code };
	if (isUnsent(thrown)) return { kind: 'unreachable', code: describeConnect(causes) ?? code };
	if (UNDECODABLE_CODES.test(code)) return { kind: 'unreadable', status, code };
	// The response had started, so the service had handled the request.
	if (status !== undefined) return { kind: 'lostResponse' };
	// Without a network code, n8n didn't send anything.
	if (code === '' || code.startsWith('ERR_INVALID'))
		return { kind: 'notSent', text: thrown instanceof Error ? thrown.message : undefined };
	return NOT_CONNECTED_CODES.test(code) || causes.some(isConnectError)
		? { kind: 'unreachable', code }
		: { kind: 'lostResponse', code };
}

/**
 * The statuses of responses that n8n throws instead of returning them. Only n8n's error contains the request, which
 * shows whether a proxy has answered to CONNECT in place of the service. Such an answer never has the status 200. A 401
 * isn't thrown, because n8n would then send the request again.
 */
export const THROWN_STATUSES: readonly number[] = Array.from(
	{ length: 400 },
	(_, at) => at + 200,
).filter((status) => status !== 200 && status !== 401);

/**
 * Returns the response that n8n has thrown because of its status.
 *
 * @throws the same error if it contains no response of the service
 */
export function responseIn(thrown: unknown): OpenResponse {
	const response = thrownResponse(listCauses(thrown));
	// The message about a proxy that asks for a login needs the status.
	if (!response || (isUnsent(thrown) && response.status !== 407)) throw thrown;
	const { status, headers, data } = response;
	return { statusCode: status, headers, body: data };
}

interface ThrownResponse {
	status: number;
	headers: OpenResponse['headers'];
	data: OpenResponse['body'];
}

function thrownResponse(causes: readonly Json[]): ThrownResponse | undefined {
	return causes
		.map(({ response }) => response)
		.find(
			(response): response is ThrownResponse & Json =>
				isObject(response) && isObject(response.data),
		);
}

function describeConnect(causes: readonly Json[]): string | undefined {
	const response = thrownResponse(causes);
	if (response) return `CONNECT ${response.status}`;
	// A proxy that closes the connection causes an error without a code.
	return causes.some(({ code }) => typeof code === 'string') ? undefined : 'CONNECT';
}

/**
 * Whether the request surely never left n8n, so that it can't have been charged. A request has no socket until a
 * proxy has answered to CONNECT. `_bytesDispatched` is an internal counter of Node.js, which can be missing. The
 * documented counters include bytes that still wait to be sent.
 */
export function isUnsent(thrown: unknown): boolean {
	return listCauses(thrown).some(({ request }) => {
		if (!isObject(request) || !('socket' in request)) return false;
		const { socket } = request;
		if (!isObject(socket)) return socket === null;
		return socket._bytesDispatched === 0 || socket.secureConnecting === true;
	});
}

/**
 * Whether an error means that no connection was made. If a host has several addresses, `errors` has one error for each.
 * All of them must mean this.
 */
function isConnectError({ syscall, message, errors }: Json): boolean {
	if (Array.isArray(errors) && errors.length > 0)
		return errors.every((error) => isObject(error) && isConnectError(error));
	if (typeof syscall === 'string' && CONNECT_SYSCALLS.test(syscall)) return true;
	return typeof message === 'string' && message.includes(TLS_NOT_ESTABLISHED);
}

function listCauses(thrown: unknown): Json[] {
	const causes: Json[] = [];
	for (let error = thrown; isObject(error) && causes.length < MAX_CAUSES; error = error.cause)
		causes.push(error);
	return causes;
}
