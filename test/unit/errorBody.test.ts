/** The service's own words are found in the body of an error, as web frameworks and services shape it. */
import fc from 'fast-check';

import { findMessage } from '../../nodes/LeadSearch/api/errorBody';

test.each([
	'{"message": "No such filter"}',
	'{"error": "No such filter"}',
	'{"error": {"code": 7, "message": "No such filter"}}',
	'{"detail": "No such filter"}',
	'{"errors": [{"message": "No such filter"}]}',
	'{"error": "x", "message": "No such filter"}',
	'{"message": " \\n", "error": "No such filter"}',
	'{"error":{"error":{"error":["No such filter"]}}}',
	'"No such filter"',
	'  No such filter\n',
])('the message is found in %s', (text) => {
	expect(findMessage(text)).toBe('No such filter');
	// Plain text may hold brackets and quotes.
	expect(findMessage(`No such filter: ${text}`)).toBe(`No such filter: ${text}`.trim());
});

test.each([
	['nothing', ' \n'],
	['a web page', '<!DOCTYPE html><h1>Not found</h1>'],
	['a web page after a byte order mark', '\uFEFF<html></html>'],
	['broken JSON', '{"message": "cut'],
	['JSON without a message', '{"code": 7, "message": null}'],
	['an empty list', '[]'],
	['a message too deep', '{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
	['10,000 levels', '{"error":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
	['a megabyte of brackets', '['.repeat(1_000_000)],
	['an inherited name', '{"__proto__": {"message": "x"}}'],
])('there is none in %s', (_, text) => {
	expect(findMessage(text)).toBeUndefined();
});

/** Bodies as they are sent, and what people read of them. */
const SENT: Array<[by: string, body: unknown, words: string]> = [
	[
		'FastAPI',
		{
			detail: [
				{ type: 'missing', loc: ['body', 'job_titles'], msg: 'Field required', input: { a: 'b' } },
				{ type: 'int_type', loc: ['body', '_page'], msg: 'Input should be a valid integer' },
			],
		},
		'job_titles: Field required; _page: Input should be a valid integer',
	],
	[
		'FastAPI, raised by hand',
		{ detail: { code: 'E7', message: 'No such country' } },
		'No such country',
	],
	[
		'ASP.NET',
		{
			type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
			title: 'One or more validation errors occurred.',
			status: 400,
			errors: { JobTitles: ['Too many titles.', 'Too long.'], '': ['No body.'] },
			traceId: '00-7c',
		},
		'One or more validation errors occurred. JobTitles: Too many titles.; JobTitles: Too long.; No body.',
	],
	[
		'older ASP.NET',
		{ Message: 'The request is invalid.', ModelState: { 'model.Country': ['Unknown'] } },
		'The request is invalid. model.Country: Unknown',
	],
	[
		'RFC 9457',
		{
			type: 'https://leads.example.com/e/filter',
			title: 'Bad filter',
			status: 400,
			detail: 'XX is no country',
		},
		'XX is no country',
	],
	[
		'RFC 9457 without a detail',
		{ type: 'about:blank', title: 'Bad filter', status: 400 },
		'Bad filter',
	],
	[
		'RFC 9457 with what is wrong in each field',
		{ title: 'Not valid', errors: [{ detail: 'must be a text', pointer: '#/job_titles' }] },
		'Not valid: job_titles: must be a text',
	],
	[
		'zod',
		{
			success: false,
			error: {
				name: 'ZodError',
				issues: [
					{ code: 'too_big', maximum: 10, path: ['job_titles', 0], message: 'Too long' },
					{ code: 'custom', path: [], message: 'No filter' },
				],
			},
		},
		'job_titles.0: Too long; No filter',
	],
	[
		'zod, its issues as a text',
		{ error: { name: 'ZodError', message: '[{"path": ["job_titles"], "message": "Required"}]' } },
		'job_titles: Required',
	],
	[
		'zod, flattened',
		{ formErrors: [], fieldErrors: { country: ['Required'] } },
		'country: Required',
	],
	[
		'express-validator',
		{
			errors: [
				{ type: 'field', value: 7, msg: 'Invalid value', path: 'job_titles', location: 'body' },
			],
		},
		'job_titles: Invalid value',
	],
	[
		'older express-validator',
		{ errors: [{ value: 7, msg: 'Invalid value', param: 'job_titles', location: 'body' }] },
		'job_titles: Invalid value',
	],
	[
		'Hunter',
		{ errors: [{ id: 'wrong_params', code: 400, details: 'You are missing the domain' }] },
		'You are missing the domain',
	],
	[
		'NestJS',
		{
			statusCode: 400,
			message: ['job_titles must be an array', 'no country'],
			error: 'Bad Request',
		},
		'job_titles must be an array; no country',
	],
	[
		'Laravel',
		{ message: 'The given data was invalid.', errors: { country: ['The country is unknown.'] } },
		'The given data was invalid. country: The country is unknown.',
	],
	[
		'Django',
		{ job_titles: ['This field is required.'], code: ['7'] },
		'job_titles: This field is required.; code: 7',
	],
	['Rails', { errors: { country: ["can't be blank"] } }, "country: can't be blank"],
	[
		'Spring',
		{ timestamp: 'x', status: 400, error: 'Bad Request', path: '/api/public/search' },
		'Bad Request',
	],
	[
		'Stripe',
		{ error: { code: 'invalid', message: 'No such country', param: 'country', type: 'x' } },
		'country: No such country',
	],
	[
		'OAuth',
		{ error: 'invalid_request', error_description: 'The key is missing' },
		'The key is missing',
	],
	[
		'a service with codes alone',
		{ error: { code: 'no_such_filter', status: 7 } },
		'code: no_such_filter',
	],
];

test.each(SENT)('%s: the words, and the field that they are about', (_, body, words) => {
	expect(findMessage(JSON.stringify(body))).toBe(words);
});

test('rows that came along are nothing that the service says', () => {
	expect(findMessage('{"preview_data": [{"full_name": "Anna"}], "count": 1}')).toBeUndefined();
});

test('of a long list as much is read as people see', () => {
	const errors = Array.from({ length: 100_000 }, (_, index) => ({ msg: `No. ${index}` }));
	expect(findMessage(JSON.stringify({ errors }))?.split('; ')).toHaveLength(10);
});

test('whatever comes is read without a crash, and as text with something in it', () => {
	const names = fc.constantFrom('message', 'errors', 'error', 'detail', 'path', 'loc', 'x');
	const { body } = fc.letrec<{ body: unknown }>((tie) => ({
		body: fc.oneof(
			{ maxDepth: 5 },
			fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
			fc.array(tie('body'), { maxLength: 3 }),
			fc.dictionary(names, tie('body'), { maxKeys: 4 }),
		),
	}));
	fc.assert(
		fc.property(body, (json) => {
			const found = findMessage(JSON.stringify(json));
			if (found !== undefined) expect(found.trim()).not.toBe('');
		}),
		{ numRuns: 1_000 },
	);
});
