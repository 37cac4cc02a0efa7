/** Tests which message is found in the body of an error response. */
import { findMessage, extractMessage } from '../../nodes/LeadSearch/api/errorBody';

const message = 'No such filter';
const complaints = '{"detail":[{"loc":["body","job_titles"],"msg":"Field required"}]}';

test.each<[body: string, message: string | undefined]>([
	[`{"message": "${message}", "error": "x"}`, message],
	[`{"detail": "${message}", "error": "x"}`, message],
	[`{"error": "${message}", "message": " \\n"}`, message],
	[`{"error": {"code": 7, "message": "${message}"}}`, message],
	[`"${message}"`, message],
	[`  ${message}: {"a": [1]}\n`, `${message}: {"a": [1]}`],
	// The whole body is returned if it has no message, or a message that is nested too deep.
	[` ${complaints}\n`, complaints],
	['{"code":7,"message":null}', '{"code":7,"message":null}'],
	['{"message": "cut', '{"message": "cut'],
	['{"__proto__":{"message":"x"}}', '{"__proto__":{"message":"x"}}'],
	[' \n', undefined],
	['\uFEFF<!DOCTYPE html><h1>Not found</h1>', undefined],
	['[]', undefined],
	['{ }', undefined],
	['""', undefined],
])('the message of the body %j is %j', (body, expected) => {
	expect(findMessage(body)).toBe(expected);
});

test('a text that is nested too deep for JSON is its own message, but a parsed body that is nested too deep has no message', () => {
	const text = '{"error":'.repeat(100_000) + '1' + '}'.repeat(100_000);
	expect(findMessage('['.repeat(1_000_000))).toBe('['.repeat(1_000_000));
	expect(extractMessage(JSON.parse(text))).toBeUndefined();
});
