/** The service's own words are found in the body of an error, or all of it is told. */
import { findMessage, messageIn } from '../../nodes/LeadSearch/api/errorBody';

const said = 'No such filter';
const complaints = '{"detail":[{"loc":["body","job_titles"],"msg":"Field required"}]}';

test.each<[body: string, told: string | undefined]>([
	[`{"message": "${said}", "error": "x"}`, said],
	[`{"detail": "${said}", "error": "x"}`, said],
	[`{"error": "${said}", "message": " \\n"}`, said],
	[`{"error": {"code": 7, "message": "${said}"}}`, said],
	[`"${said}"`, said],
	[`  ${said}: {"a": [1]}\n`, `${said}: {"a": [1]}`],
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
])('of %j people read %j', (body, told) => {
	expect(findMessage(body)).toBe(told);
});

test('what nests too deep is told as it came, and of what is parsed not at all', () => {
	const text = '{"error":'.repeat(100_000) + '1' + '}'.repeat(100_000);
	expect(findMessage('['.repeat(1_000_000))).toBe('['.repeat(1_000_000));
	expect(messageIn(JSON.parse(text))).toBeUndefined();
});
