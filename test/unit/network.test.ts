/** Whether anything was sent, by what n8n's helpers throw: only then is it counted. */
import { mayHaveBeenCharged, type FailureKind } from '../../nodes/LeadSearch/api/failures';
import { CERTIFICATE_CODE_PATTERN, failureFromNetwork } from '../../nodes/LeadSearch/api/network';

/** One or more of each kind that Node has for a certificate that it doesn't trust. */
const CERTIFICATE_CODES =
	'CERT_HAS_EXPIRED CRL_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID'
		.concat(' ERROR_IN_CERT_NOT_AFTER_FIELD HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE')
		.concat(' PATH_LENGTH_EXCEEDED SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE')
		.split(' ');

const withCode = (code: unknown, cause?: unknown) =>
	Object.assign(new Error('something', { cause }), code === undefined ? {} : { code });

test.each<[FailureKind, string[]]>([
	['unreachable', ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']],
	['unreachable', CERTIFICATE_CODES],
	['lostResponse', ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ERR_NEW']],
	['lostResponse', ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_SOCKET']],
	// A server may send these after it has read the request.
	['lostResponse', ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'XINVALID_CA']],
	// Only like those that mean that nothing was sent.
	['lostResponse', ['XECONNREFUSED', 'ECONNREFUSEDX', 'XUNABLE_TO_X', 'INVALID_CAX']],
	[
		'lostResponse',
		['XHOSTNAME_MISMATCH', 'HOSTNAME_MISMATCHX', 'XPATH_LENGTH_EXCEEDED', 'PATH_LENGTH_EXCEEDEDX'],
	],
	['notSent', ['ERR_INVALID_URL']],
	['unreadable', ['Z_DATA_ERROR', 'HPE_INVALID_CONSTANT']],
])('something thrown on the way is %s by its code: %j', (kind, codes) => {
	for (const code of codes) {
		expect([code, failureFromNetwork(withCode(code)).kind]).toEqual([code, kind]);
		expect(CERTIFICATE_CODE_PATTERN.test(code)).toBe(CERTIFICATE_CODES.includes(code));
	}
});

test('what is thrown is known by the code of its causes, and of whatever kind is told; a circle ends', () => {
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
/** As axios wraps it, and n8n the whole. */
const wrapLikeAxios = (cause: Error) =>
	new Error('The connection timed out', { cause: withCode('ETIMEDOUT', cause) });
const connectionReset = (message: string) =>
	Object.assign(new Error(message), { code: 'ECONNRESET' });
const insecure = 'Client network socket disconnected before secure TLS connection was established';

test.each<[string, unknown, boolean]>([
	['timed out, as axios has it', wrapLikeAxios(failedCall('connect')), true],
	['timed out, as fetch has it', withCode(undefined, failedCall('connect')), true],
	[
		'timed out at each address',
		wrapLikeAxios(atSeveralAddresses(failedCall('connect'), failedCall('connect'))),
		true,
	],
	['was forbidden', failedCall('connect', 'EACCES'), true],
	['needed a name that nobody resolved in time', failedCall('getaddrinfo'), true],
	['was cut before it was secure', connectionReset(insecure), true],
	['was there: it timed out after sending', wrapLikeAxios(failedCall('write')), false],
	['was there: it was cut', connectionReset('socket hang up'), false],
	['may have been there', failedCall(undefined), false],
	[
		'may have been there at one address',
		atSeveralAddresses(failedCall('connect'), failedCall('read')),
		false,
	],
	['may have been there, of which nothing is told', atSeveralAddresses(), false],
])('a connection that %s: %s, so nothing was sent: %s', (_, thrown, isTrue) => {
	const failure = failureFromNetwork(thrown);
	expect(failure.kind).toBe(isTrue ? 'unreachable' : 'lostResponse');
	expect(mayHaveBeenCharged(failure)).toBe(!isTrue);
	// Whatever cuts a response that had begun.
	expect(failureFromNetwork(thrown, 200)).toEqual({ kind: 'lostResponse' });
});
