import { NodeOperationError, type INode } from 'n8n-workflow';

import {
	asOperationError,
	escapeHtml,
	formatInvalidItem,
} from '../../nodes/LeadSearch/messages/nodeErrors';
import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';

const node = { name: 'Lead Search', type: 'leadSearch' } as INode;

test('HTML in a description stays text, and quotes read as quotes', () => {
	expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
		`&lt;a href="x" title='y'&gt;&amp;amp;&lt;/a&gt;`,
	);
});

test('a parameter that can not be used is told by its label and the item, with what to write', () => {
	const invalid = new InvalidParameterError('Limit', 'is empty', 'Write <one>.');
	const message = "'Limit' of input item 3 is empty";
	expect(formatInvalidItem(invalid, 3)).toEqual({ message, description: 'Write <one>.' });
	const error = asOperationError(node, invalid, 3);
	expect(error).toMatchObject({ message, description: 'Write &lt;one&gt;.' });
	expect(error.context.itemIndex).toBe(3);
});

test.each<[string, unknown]>([
	['an error of n8n without a description', new NodeOperationError(node, 'no')],
	['one with an empty description', new NodeOperationError(node, 'no', { description: '' })],
	['any other error', new Error('no')],
	['a text', 'no'],
])('%s is told with a description, which n8n needs to tell it from a lead', (_, thrown) => {
	expect(formatInvalidItem(thrown, 0)).toMatchObject({
		message: 'no',
		description: expect.stringContaining('Nothing was sent or charged') as string,
	});
	expect(asOperationError(node, thrown, 0).description).not.toBeFalsy();
});
