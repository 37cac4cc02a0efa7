/** What n8n's HTTP helper, or the body of a response, threw: whether anything was sent, and what came of it. */
import { isObject, type Json } from './contract';
import type { Failure } from './failures';

/** A response whose body is still on its way. */
export interface OpenResponse {
	statusCode: number;
	/** Names in lower case. */
	headers: Record<string, unknown>;
	body: AsyncIterable<Uint8Array> & { destroy(): unknown };
}

/** What is wrong with a host's certificate, which Node checks before anything is sent. */
export const CERTIFICATE_CODE_PATTERN =
	/(?:^|_)(?:CERT|CRL)(?:_|$)|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/;

/** Codes that mean that no connection came about, so nothing was sent or charged. */
const NOT_CONNECTED_CODES =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|E(?:HOST|NET)UNREACH|EHOSTDOWN|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT)$/;

/** The same, by the system call that failed, whatever its code. */
const CONNECT_SYSCALLS = /^(?:connect|getaddrinfo)$/;

/** Node's message for a host that hangs up before TLS is set up; the code is that of a later hang-up. */
const TLS_NOT_ESTABLISHED = 'before secure TLS connection was established';

/** zlib and Node's HTTP parser can't decode a response. */
const UNDECODABLE_CODES = /^(?:Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_|HPE_)/;

/** How many errors are looked at, each the cause of the error before. */
const MAX_CAUSES = 5;

/** @param status where the response had begun */
export function failureFromNetwork(thrown: unknown, status?: number): Failure {
	const causes = listCauses(thrown);
	const code = causes.map((error) => error.code).find((text) => typeof text === 'string') ?? '';
	if (UNDECODABLE_CODES.test(code)) return { kind: 'unreadable', status, code };
	// Whatever cuts a response that had begun, the request was handled.
	if (status !== undefined) return { kind: 'lostResponse' };
	// Without a network code nothing left n8n.
	if (code === '' || code.startsWith('ERR_INVALID'))
		return { kind: 'notSent', text: thrown instanceof Error ? thrown.message : undefined };
	const isUnreachable = NOT_CONNECTED_CODES.test(code) || CERTIFICATE_CODE_PATTERN.test(code);
	return isUnreachable || causes.some(isConnectError) || isUnsent(thrown)
		? { kind: 'unreachable', code }
		: { kind: 'lostResponse', code };
}

/**
 * Whether not a byte was handed to the system, as while a connection is still waited for: n8n's helpers
 * throw an error with the request of Node's. Node's documented counts take in what waits to be sent; a 0 in
 * this count is right, and where it is missing the request may have been sent.
 */
export function isUnsent(thrown: unknown): boolean {
	return listCauses(thrown).some(({ request }) => {
		const socket = isObject(request) ? request.socket : undefined;
		return isObject(socket) && socket._bytesDispatched === 0;
	});
}

/** An error with `errors` is of a host with several addresses, each tried in vain. */
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
