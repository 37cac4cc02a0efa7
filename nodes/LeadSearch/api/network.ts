/** Converts errors of n8n's HTTP helper and of response bodies into failures. Decides whether anything was sent. */
import { isObject, type Json } from './contract';
import type { Failure } from './failures';

/** A response with a body that isn't read yet. */
export interface OpenResponse {
	statusCode: number;
	/** Names in lower case. */
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/** Node's codes for invalid certificates. Node checks the certificate before it sends anything. */
export const CERTIFICATE_CODE_PATTERN =
	/(?:^|_)(?:CERT|CRL)(?:_|$)|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;

/** Codes that mean that there was no connection, so nothing was sent or charged. */
const NOT_CONNECTED_CODES =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|E(?:HOST|NET)UNREACH|EHOSTDOWN|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$/;

/** System calls that mean that there was no connection, whatever the code is. */
const CONNECT_SYSCALLS = /^(?:connect|getaddrinfo)$/;

/** Node's message if the host closes the connection before TLS is established. The code doesn't show that. */
const TLS_NOT_ESTABLISHED = 'before secure TLS connection was established';

/** Codes of zlib and of Node's HTTP parser for a response that they can't decode. */
const UNDECODABLE_CODES = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_|HPE_)/;

/** The most `cause` properties that are followed from one error to the next. */
const MAX_CAUSES = 5;

/**
 * Converts an error into a failure.
 *
 * @param status the status of the response; undefined if no response had started
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
	const isUnreachable = NOT_CONNECTED_CODES.test(code) || CERTIFICATE_CODE_PATTERN.test(code);
	return isUnreachable || causes.some(isConnectError) || isUnsent(thrown)
		? { kind: 'unreachable', code }
		: { kind: 'lostResponse', code };
}

/**
 * Whether no byte was passed to the operating system, for example because the connection wasn't open yet. The
 * function reads an internal counter of Node.js in the request that n8n's error contains: the documented counters
 * include bytes that still wait to be sent. Without that counter it returns false, because the request may have been
 * sent.
 */
export function isUnsent(thrown: unknown): boolean {
	return listCauses(thrown).some(({ request }) => {
		const socket = isObject(request) ? request.socket : undefined;
		return isObject(socket) && socket._bytesDispatched === 0;
	});
}

/** An error with `errors` comes from a host with several addresses: Node failed to connect to each of them. */
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
