/** The service's own words are found in the body of an error, or all of it is told. */
import { findMessage, extractMessage } from '../../nodes/LeadSearch/api/errorBody';

const message = 'No such filter';
const complaints = '{"detail":[{"loc":["body","job_titles"],"msg":"Field required"}]}';

test.each<[body: string, told: string | undefined]>([
	[`{"message": "${message}", "error": "x"}`, message],
	[`{"detail": "${message}", "error": "x"}`, message],
	[`{"error": "${message}", "message": " \\n"}`, message],
	[`{"error": {"code": 7, "message": "${message}"}}`, message],
	[`"${message}"`, message],
	[`  ${message}: {"a": [1]}\n`, `${message}: {"a": [1]}`],
	// All of it is told where words stand deeper, or nowhere.
	[` ${complaints}\n`, complaints],
	['{"code":7,"message":null}', '{"code":7,"message":null}'],
	['{"message": "cut', '{"message": "cut'],
	['{"__proto__":{"message":"x"}}', '{"__proto__":{"message":"x"}}'],
	[' \n', undefined],
	['\uFEFF<!DOCTYPE html><h1>Not found</h1>', undefined],
	['[]', undefined],
	['{ }', undefined],
	['""', undefined],
])('of %j people read %j', (body, text) => {
	expect(findMessage(body)).toBe(text);
});

test('what nests too deep is told as it came, and of what is parsed not at all', () => {
	const text = '{"error":'.repeat(100_000) + '1' + '}'.repeat(100_000);
	expect(findMessage('['.repeat(1_000_000))).toBe('['.repeat(1_000_000));
	expect(extractMessage(JSON.parse(text))).toBeUndefined();
});
