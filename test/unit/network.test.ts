/** Tests the failures for errors of n8n's helpers. A request may be charged only if it was sent. */
import { mayHaveBeenCharged, type FailureKind } from '../../nodes/LeadSearch/api/failures';
import { CERTIFICATE_CODE_PATTERN, failureFromNetwork } from '../../nodes/LeadSearch/api/network';

/** These codes include each kind of code that Node.js has for an invalid certificate. */
const CERTIFICATE_CODES =
	'CERT_HAS_EXPIRED CRL_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID'
		.concat(' ERROR_IN_CERT_NOT_AFTER_FIELD HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE')
		.concat(' PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE')
		.split(' ');

const withCode = (code: unknown, cause?: unknown) =>
	Object.assign(new Error('something', { cause }), code === undefined ? {} : { code });

test.each<[FailureKind, string[]]>([
	['unreachable', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']],
	['notSent', CERTIFICATE_CODES],
	['lostResponse', ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_NEW']],
	['lostResponse', ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET']],
	// A server can send these after it has read the request.
	['lostResponse', ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'XINVALID_CA']],
	// These only resemble codes that mean that nothing was sent.
	['lostResponse', ['XECONNREFUSED', 'ECONNREFUSEDX', 'XUNABLE_TO_X', 'INVALID_CAX']],
	[
		'lostResponse',
		['XHOSTNAME_MISMATCH', 'HOSTNAME_MISMATCHX', 'XPATH_LENGTH_EXCEEDED', 'PATH_LENGTH_EXCEEDEDX'],
	],
	['notSent', ['ERR_INVALID_URL']],
	['unreadable', ['Z_DATA_ERROR', 'HPE_INVALID_CONSTANT']],
])('an error is the failure %s if it has one of the codes %j', (kind, codes) => {
	for (const code of codes) {
		expect([code, failureFromNetwork(withCode(code)).kind]).toEqual([code, kind]);
		expect(CERTIFICATE_CODE_PATTERN.test(code)).toBe(CERTIFICATE_CODES.includes(code));
	}
});

test('any error is a failure by the codes of its causes, even if its causes are circular', () => {
	const thrown = withCode(undefined, withCode(undefined, withCode('ECONNREFUSED')));
	expect(failureFromNetwork(thrown).kind).toBe('unreachable');
	const circle = withCode(undefined);
	circle.cause = circle;
	for (const other of [undefined, null, 'text', 7, {}, circle])
		expect(failureFromNetwork(other).kind).toBe('notSent');
	expect(failureFromNetwork(new Error('host not allowed')).text).toBe('host not allowed');
});

const failedCall = (syscall: string | undefined, code = 'ETIMEDOUT') =>
	Object.assign(new Error(`${syscall} ${code} 203.0.113.7:443`), { code, syscall });
const atSeveralAddresses = (...errors: unknown[]) =>
	Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' });
/** Wraps an error like axios and n8n. */
const wrapLikeAxios = (cause: Error) =>
	new Error('The connection timed out', { cause: withCode('ETIMEDOUT', cause) });
const connectionReset = (message: string) =>
	Object.assign(new Error(message), { code: 'ECONNRESET' });
const insecure = 'Client network socket disconnected before secure TLS connection was established';

test.each<[string, unknown, boolean]>([
	['timed out, wrapped by axios', wrapLikeAxios(failedCall('connect')), true],
	['timed out, wrapped by fetch', withCode(undefined, failedCall('connect')), true],
	[
		'timed out at each address',
		wrapLikeAxios(atSeveralAddresses(failedCall('connect'), failedCall('connect'))),
		true,
	],
	['was forbidden', failedCall('connect', 'EACCES'), true],
	['needed a name that was not resolved in time', failedCall('getaddrinfo'), true],
	['was closed before it was secure', connectionReset(insecure), true],
	['was open and timed out after sending', wrapLikeAxios(failedCall('write')), false],
	['was open and was closed', connectionReset('socket hang up'), false],
	['may have been open', failedCall(undefined), false],
	[
		'may have been open at one address',
		atSeveralAddresses(failedCall('connect'), failedCall('read')),
		false,
	],
	['may have been open, because the error has no details', atSeveralAddresses(), false],
])('a request over a connection that %s (%s) is known not to be sent: %s', (_, thrown, isTrue) => {
	const failure = failureFromNetwork(thrown);
	expect(failure.kind).toBe(isTrue ? 'unreachable' : 'lostResponse');
	expect(mayHaveBeenCharged(failure)).toBe(!isTrue);
	// The same error means a lost response once the response has started.
	expect(failureFromNetwork(thrown, 200)).toEqual({ kind: 'lostResponse' });
});
