/** Compares docs/failures.md with the node: the page must list every failure and every hint, and nothing else. */
import ts from 'typescript';

import { mayHaveBeenCharged } from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';
import { FAILURES, HINTS } from '../sampleMessages';
import { read, sourcesIn, visitSyntax } from './project';

const rows = read('docs/failures.md')
	.split('\n')
	.filter((line, index, lines) => line.startsWith('| ') && !lines[index + 1]?.startsWith('| --'))
	.map((line) => line.slice(1, -1).split('|'))
	.map((cells) => cells.map((cell) => cell.trim()))
	.filter(([first = '']) => !first.startsWith('--'));

/** Turns texts with placeholders into a pattern that accepts anything in their place. */
function pattern(texts: string[]): RegExp {
	const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`);
}

/** Whether a message of the page, in which … stands for anything, exists in the code. */
const isRowOf = ([message = '']: string[], text: string) => pattern(message.split('…')).test(text);

test.each(FAILURES)(
	'the page of messages has "$message", and says what to do',
	({ failure, message }) => {
		const [found] = rows.filter((cells) => cells.length === 4 && isRowOf(cells, message));
		const [, , triedAgain, charged] = found ?? [];
		const isRetried = decideRetry(failure, 1, 3, 0) !== undefined;
		expect(triedAgain).toMatch(isRetried ? /^Yes/ : /^No/);
		expect(charged).toMatch(mayHaveBeenCharged(failure) ? /^Yes/ : /^No/);
	},
);

/** Hints that leave nothing to explain: they say what to do. */
const SAY_ALL: ReadonlySet<string> = new Set<keyof typeof HINTS>([
	...([
		'describeReusedRows',
		'describeNoMatch',
		'describeNotFound',
		'describeLimit',
		'describeInvalidUrls',
	] as const),
	...([
		'describeIgnoredStatus',
		'describeDuplicateProfiles',
		'describeDuplicateItems',
		'describeMaxResults',
		'describeRefusal',
		'describeEmptyRound',
	] as const),
	...([
		'truncatedPage',
		'repeatedLastPage',
		'refusedSize',
		'describeReadableRows',
		'describeNextRows',
		'describeAbsentCountries',
		'describeNoProfiles',
	] as const),
	...(['describeTruncation', 'describeFailedItems', 'describeRepeatedRows'] as const),
]);

test.each(Object.entries(HINTS).filter(([name]) => !SAY_ALL.has(name)))(
	'the page of messages has the hint of %s: "%s"',
	(_, hint) => {
		expect(rows.filter((cells) => isRowOf(cells, hint))).toHaveLength(1);
	},
);

test('every message of the page exists in the code', () => {
	const told = [...FAILURES.map(({ message }) => message), ...Object.values(HINTS)];
	const others = rows.filter((cells) => !told.some((text) => isRowOf(cells, text)));
	const sources = textsInSources();
	const isInSources = ([message = '']: string[]) => {
		// A message about a parameter starts with its name and the input item.
		const problem = message.replace(/^'.+?'(?: of input item …| in the credential)? /, '');
		return sources.some((texts) => texts.test(problem) || texts.test(message));
	};
	expect(others.filter((cells) => !isInSources(cells)).map(([message]) => message)).toEqual([]);
});

function textsInSources(): RegExp[] {
	const texts: string[][] = [];
	for (const file of sourcesIn('nodes'))
		visitSyntax(file, (node) => {
			if (ts.isStringLiteralLike(node)) texts.push([node.text]);
			if (ts.isTemplateExpression(node))
				texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
		});
	return texts.filter((parts) => parts.join('').length >= 8).map(pattern);
}
