/** The service's own words are found in the body of an error, or all of it is told. */
import { findMessage, messageIn } from '../../nodes/LeadSearch/api/errorBody';

test.each([
	'{"message": "No such filter"}',
	'{"detail": "No such filter"}',
	'{"error": "No such filter"}',
	'{"error": {"code": 7, "message": "No such filter"}}',
	'{"error": "x", "message": "No such filter"}',
	'{"error": "x", "detail": "No such filter"}',
	'{"message": " \\n", "error": "No such filter"}',
	'"No such filter"',
	'  No such filter\n',
])('the message is found in %s', (text) => {
	expect(findMessage(text)).toBe('No such filter');
	// Plain text may hold brackets and quotes.
	expect(findMessage(`No such filter: ${text}`)).toBe(`No such filter: ${text}`.trim());
});

test.each([
	['a list of complaints', '{"detail":[{"loc":["body","job_titles"],"msg":"Field required"}]}'],
	['complaints by field', '{"errors":{"JobTitles":["Too many titles."]},"status":400}'],
	['a message too deep', '{"error":{"error":{"error":"deep"}}}'],
	['codes alone', '{"code":7,"message":null}'],
	['what was cut', '{"message": "cut'],
	['an inherited name', '{"__proto__":{"message":"x"}}'],
])('all of it is told of %s', (_, text) => {
	expect(findMessage(` ${text}\n`)).toBe(text);
});

test.each([
	['nothing', ' \n'],
	['a web page', '<!DOCTYPE html><h1>Not found</h1>'],
	['a web page after a byte order mark', '\uFEFF<html></html>'],
	['an empty list', '[]'],
	['an empty object', '{ }'],
	['an empty text', '""'],
])('there is none in %s', (_, text) => {
	expect(findMessage(text)).toBeUndefined();
});

test('what nests too deep is told as it came, and of what is parsed not at all', () => {
	const text = '{"error":'.repeat(100_000) + '1' + '}'.repeat(100_000);
	expect(findMessage('['.repeat(1_000_000))).toBe('['.repeat(1_000_000));
	expect(messageIn(JSON.parse(text))).toBeUndefined();
});
