import fc from 'fast-check';

import { escapeHtml } from '../../nodes/LeadSearch/operations/nodeErrors';

describe('HTML in a description stays text', () => {
	test('tags and entities are escaped, and quotes read as quotes', () => {
		expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
			`&lt;a href="x" title='y'&gt;&amp;amp;&lt;/a&gt;`,
		);
	});

	test('whatever it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(escapeHtml(text)).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
			}),
		);
	});
});
