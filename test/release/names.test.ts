/** Checks that texts for users have the names of parameters in single quotes, as n8n's guidelines say. */
import type { INodeProperties } from 'n8n-workflow';

import ts from 'typescript';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { sourcesIn, visitSyntax } from './project';

const nodes = [new LeadSearch().description, new LeadSearchTrigger().description];

function withOptions(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) =>
		property.type === 'collection'
			? [property, ...withOptions(property.options as INodeProperties[])]
			: [property],
	);
}

const properties = withOptions([
	...nodes.flatMap(({ properties }) => properties),
	...new LeadSearchApi().properties,
]);
const isNotice = ({ type }: INodeProperties) => type === 'notice';

/** Names that aren't words of everyday English, or of the service. */
const names = new Set(
	properties
		.filter((property) => !isNotice(property))
		.map(({ displayName }) => displayName.replace(/ \(.*/, ''))
		.filter((name) => name.includes(' ') || /^(Limit|Skip|Simplify|Timeout|Filters)$/.test(name))
		.filter((name) => !['API Key', 'Session Token', 'LinkedIn URLs'].includes(name)),
);
const unquoted = new RegExp(`(?<!')\\b(${[...names].join('|')})\\b(?!')`);

/** Returns the texts in a folder's code from which messages for users are built. */
function textsOf(folder: string): string[] {
	const texts: string[] = [];
	for (const file of sourcesIn(`nodes/LeadSearch/${folder}`))
		visitSyntax(file, (node) => {
			const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
			if (isText && !ts.isImportDeclaration(node.parent)) texts.push(node.text);
		});
	return texts;
}

test.each(['api', 'execution', 'messages', 'paging', 'trigger'])(
	'texts of %s/ have the names of parameters in quotes',
	(folder) => {
		const texts = textsOf(folder).filter((text) => !names.has(text));
		expect(texts.length).toBeGreaterThan(0);
		expect(texts.filter((text) => unquoted.test(text))).toEqual([]);
	},
);

test('notices and hints of the nodes have the names of parameters in quotes', () => {
	const texts = [
		...properties.filter(isNotice).map(({ displayName }) => displayName),
		...nodes.flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
		...nodes.flatMap(({ activationMessage = '' }) => activationMessage),
		JSON.stringify(nodes.map(({ triggerPanel }) => triggerPanel)),
	];
	expect(texts.filter((text) => unquoted.test(text))).toEqual([]);
});
