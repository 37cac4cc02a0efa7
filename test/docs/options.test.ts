/** Compares docs/options.md with the options that the nodes have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { OPTION_NAMES } from '../../nodes/LeadSearch/parameters/collections';

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'options.md'), 'utf8');
const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.split('|').map((cell) => cell.trim()));

const nodeOptions = [new LeadSearch(), new LeadSearchTrigger()]
	.flatMap(({ description }) => description.properties)
	.filter(({ name }) => name === 'options')
	.flatMap(({ options = [] }) => options as INodeProperties[]);

test.each([...new Set(nodeOptions.map(({ displayName }) => displayName))])(
	'docs/options.md describes the option %s',
	(label) => {
		expect(rows.map(([, first]) => first)).toContain(label);
	},
);

test('the node accepts each option name that docs/options.md lists for the JSON of a workflow', () => {
	const names = rows.flatMap(([, , second = '']) => /^`(\w+)`$/.exec(second)?.[1] ?? []);
	expect(names.length).toBeGreaterThan(0);
	expect(names.filter((name) => !OPTION_NAMES.includes(name))).toEqual([]);
});
