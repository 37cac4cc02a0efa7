/** Whether anything was sent, by what n8n's helpers throw: only then is it counted. */
import { mayHaveBeenCharged, type FailureKind } from '../../nodes/LeadSearch/api/failures';
import { CERTIFICATE_CODE, failureFromNetwork } from '../../nodes/LeadSearch/api/network';

/** Every code that Node 20 and 24 have for a certificate that they don't trust. */
const CERTIFICATE_CODES = `
	CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED
	CERT_SIGNATURE_FAILURE CERT_UNTRUSTED CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE
	DEPTH_ZERO_SELF_SIGNED_CERT ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD
	ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD ERR_TLS_CERT_ALTNAME_INVALID
	HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN
	UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY UNABLE_TO_DECRYPT_CERT_SIGNATURE
	UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE`
	.trim()
	.split(/\s+/);

describe('Something thrown on the way', () => {
	const withCode = (code: unknown, cause?: unknown) =>
		Object.assign(new Error('something', { cause }), code === undefined ? {} : { code });

	test.each<[FailureKind, boolean, string[]]>([
		['unreachable', false, ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', ...CERTIFICATE_CODES]],
		['lostResponse', true, ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_NEW']],
		// A server may send these after it has read the request.
		['lostResponse', true, ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'XINVALID_CA']],
		// Only like those that mean that nothing was sent.
		['lostResponse', true, ['XECONNREFUSED', 'ECONNREFUSEDX', 'XUNABLE_TO_X', 'INVALID_CAX']],
		['lostResponse', true, ['XHOSTNAME_MISMATCH', 'HOSTNAME_MISMATCHX']],
		['lostResponse', true, ['XPATH_LENGTH_EXCEEDED', 'PATH_LENGTH_EXCEEDEDX']],
		['unreachable', false, ['UND_ERR_CONNECT_TIMEOUT']],
		['lostResponse', true, ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET']],
		['notSent', false, ['ERR_INVALID_URL']],
		['unreadable', true, ['Z_DATA_ERROR', 'HPE_INVALID_CONSTANT']],
	])('is %s (charged: %j) by its code: %j', (kind, isCharged, codes) => {
		for (const code of codes) {
			const failure = failureFromNetwork(withCode(code));
			expect(failure.kind).toBe(kind);
			expect(mayHaveBeenCharged(failure)).toBe(isCharged);
			expect(CERTIFICATE_CODE.test(code)).toBe(CERTIFICATE_CODES.includes(code));
		}
	});

	test('is known by the code of its causes, and of whatever kind is told; a circle ends', () => {
		const thrown = withCode(undefined, withCode(undefined, withCode('ECONNREFUSED')));
		expect(failureFromNetwork(thrown).kind).toBe('unreachable');
		const deepest = withCode(undefined, withCode(undefined, thrown));
		expect(failureFromNetwork(deepest).kind).toBe('unreachable');
		const circle = withCode(undefined);
		circle.cause = circle;
		for (const other of [undefined, null, 'text', 7, {}, circle])
			expect(failureFromNetwork(other).kind).toBe('notSent');
		expect(failureFromNetwork(new Error('host not allowed')).text).toBe('host not allowed');
	});
});

describe('A connection that did not come about', () => {
	const failed = (syscall: string | undefined, code = 'ETIMEDOUT') =>
		Object.assign(new Error(`${syscall} ${code} 203.0.113.7:443`), { errno: -110, code, syscall });
	const severally = (...errors: unknown[]) =>
		Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' });
	/** As axios wraps it, and n8n the whole. */
	const byAxios = (cause: Error, code = 'ETIMEDOUT') =>
		new Error('The connection timed out', {
			cause: Object.assign(new Error('', { cause }), { code }),
		});
	const byFetch = (cause: Error) => new TypeError('fetch failed', { cause });
	const reset = (message: string) => Object.assign(new Error(message), { code: 'ECONNRESET' });
	const insecure =
		'Client network socket disconnected before secure TLS connection was established';

	test.each<[string, unknown, boolean]>([
		['timed out', failed('connect'), true],
		['timed out, as axios has it', byAxios(failed('connect')), true],
		['timed out, as fetch has it', byFetch(failed('connect')), true],
		['timed out at each address', severally(failed('connect'), failed('connect')), true],
		['timed out at each, as axios has it', byAxios(severally(failed('connect'))), true],
		['was forbidden', failed('connect', 'EACCES'), true],
		['needed a name that nobody resolved in time', failed('getaddrinfo'), true],
		['was cut before it was secure', reset(insecure), true],
		['was there: it timed out after sending', failed('read'), false],
		['was there: it timed out, as axios has it', byAxios(failed('write')), false],
		['was there: it was cut', reset('socket hang up'), false],
		['may have been there', failed(undefined), false],
		['may have been there at one address', severally(failed('connect'), failed('read')), false],
		['may have been there, of which nothing is told', severally(), false],
	])('%s', (_, thrown, isTrue) => {
		const failure = failureFromNetwork(thrown);
		expect(failure.kind).toBe(isTrue ? 'unreachable' : 'lostResponse');
		expect(mayHaveBeenCharged(failure)).toBe(!isTrue);
	});

	test('cuts no response that had begun', () => {
		expect(failureFromNetwork(failed('connect'), 200)).toEqual({ kind: 'lostResponse' });
	});
});
