import { conclude, tell } from '../../sandbox/release/finding';
import { missingTypes } from '../../sandbox/release/loads';
import { manifest } from './project';

const fine = { name: 'It builds', problems: [] };
const wrong = { name: 'It builds', problems: ['Mend this:\nline 1'] };

test('a finding is a line with a mark, and below it what to do', () => {
	expect(tell(fine)).toBe('✓ It builds');
	expect(tell(wrong)).toBe('✗ It builds\n    Mend this:\n    line 1');
});

test('the last line says whether to publish', () => {
	expect(conclude([fine, fine], 12_345)).toBe('Ready to publish: 2 checks passed in 12 s');
	expect(conclude([fine, wrong], 12_345)).toBe(
		'Not ready to publish: 1 of 2 checks failed, in 12 s',
	);
});

test('a node or credential that n8n does not know is named', () => {
	const listed = {
		...manifest,
		name: 'pack',
		n8n: {
			nodes: ['dist/nodes/One/One.node.js', 'dist/nodes/One/OneTrigger.node.js'],
			credentials: ['dist/credentials/OneApi.credentials.js'],
		},
	};
	const nodes = new Set(['pack.one', 'pack.oneTrigger']);
	const credentials = new Set(['oneApi']);
	expect(missingTypes(listed, { nodes, credentials })).toEqual([]);
	expect(
		missingTypes(listed, { nodes: new Set(['pack.one', 'other.oneTrigger']), credentials }),
	).toEqual([expect.stringContaining('dist/nodes/One/OneTrigger.node.js')]);
	expect(missingTypes(listed, { nodes, credentials: new Set() })).toEqual([
		expect.stringContaining('dist/credentials/OneApi.credentials.js'),
	]);
});
