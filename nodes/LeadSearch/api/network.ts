/** Converts errors of n8n's HTTP helper and of response bodies into failures. Decides whether anything was sent. */
import { isObject, type Json } from './contract';
import type { Failure } from './failures';

/** A response with a body that isn't read yet. */
export interface OpenResponse {
	statusCode: number;
	/** The headers of the response, with their names in lower case. */
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/**
 * Matches the error codes of Node.js for certificates that it doesn't trust, for example CERT_HAS_EXPIRED. Node.js
 * checks the certificate before it sends anything.
 */
export const CERTIFICATE_CODE_PATTERN =
	/(?:^|_)(?:CERT|CRL)(?:_|$)|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;

/** Matches error codes that mean that no connection was made, so nothing was sent or charged. */
const NOT_CONNECTED_CODES =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|E(?:HOST|NET)UNREACH|EHOSTDOWN|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Matches the system calls that open a connection. If an error names one of these calls in `syscall`, no connection
 * was made, whatever the error's `code` is.
 */
const CONNECT_SYSCALLS = /^(?:connect|getaddrinfo)$/;

/**
 * A part of the message that Node.js gives if the host closes the connection before TLS is established. The error
 * code is no help: it is the same if a connection is lost later, after the request was sent.
 */
const TLS_NOT_ESTABLISHED = 'before secure TLS connection was established';

/** Matches error codes of zlib and of Node's HTTP parser. They mean that a response arrived and can't be decoded. */
const UNDECODABLE_CODES = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_|HPE_)/;

/** The limit of errors that are read in a chain of `cause` properties. */
const MAX_CAUSES = 5;

/**
 * Converts an error that a request or its response body threw into a failure.
 *
 * @param thrown the error, which can have causes
 * @param status the HTTP status of the response; undefined if no response had started
 */
export function failureFromNetwork(thrown: unknown, status?: number): Failure {
	const causes = listCauses(thrown);
	const code = causes.map((error) => error.code).find((text) => typeof text === 'string') ?? '';
	if (UNDECODABLE_CODES.test(code)) return { kind: 'unreadable', status, code };
	// The response had started, so the service had handled the request.
	if (status !== undefined) return { kind: 'lostResponse' };
	// Without a network code, n8n didn't send anything.
	if (code === '' || code.startsWith('ERR_INVALID'))
		return { kind: 'notSent', text: thrown instanceof Error ? thrown.message : undefined };
	// The same certificate would come again.
	if (CERTIFICATE_CODE_PATTERN.test(code)) return { kind: 'notSent', code };
	return NOT_CONNECTED_CODES.test(code) || causes.some(isConnectError) || isUnsent(thrown)
		? { kind: 'unreachable', code }
		: { kind: 'lostResponse', code };
}

/**
 * Whether the request surely never left n8n: no byte of it was passed to the operating system, for example because
 * the connection wasn't open yet. Such a request can't have been charged.
 *
 * The function reads `_bytesDispatched` of the socket, an internal counter of Node.js, in the request that n8n's
 * error contains. The documented counters don't help, because they include bytes that still wait to be sent. If the
 * counter is missing, the function returns false, because the request may have been sent.
 */
export function isUnsent(thrown: unknown): boolean {
	return listCauses(thrown).some(({ request }) => {
		const socket = isObject(request) ? request.socket : undefined;
		return isObject(socket) && socket._bytesDispatched === 0;
	});
}

/**
 * Whether an error means that no connection was made. If a host has several addresses, the error contains one error
 * per address in `errors`: then no connection was made only if this is true for each of them.
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
