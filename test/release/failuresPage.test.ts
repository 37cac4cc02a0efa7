/** Compares docs/failures.md with the node. The page must list every failure and every hint once, and nothing else. */
import ts from 'typescript';

import { failureFromStatus, mayHaveBeenCharged } from '../../nodes/LeadSearch/api/failures';
import { FAILURES, HINTS } from '../sampleMessages';
import { read, sourcesIn, tablesIn, visitSyntax } from './project';

const rows = tablesIn('docs/failures.md')
	.filter(({ titles: [first = ''] }) => ['Message', 'Hint'].includes(first))
	.flatMap((table) => table.rows);

/** Turns texts with placeholders into a pattern that accepts anything in their place. */
function pattern(texts: string[]): RegExp {
	const escaped = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`);
}

/** Whether a row of the page describes a message. The character … in the row can be any text. */
const describesMessage = ([message = '']: readonly string[], text: string) =>
	pattern(message.split('…')).test(text);

test.each(FAILURES)(
	'docs/failures.md lists "$message" once, and says what to do',
	({ message }) => {
		const found = rows.filter((cells) => describesMessage(cells, message));
		expect(found).toHaveLength(1);
		expect(found).toEqual([[expect.anything(), expect.stringMatching(/\w/)]]);
	},
);

test('the statuses that docs/failures.md calls free never count as charged', () => {
	const [, free = ''] =
		/answered with ([\d, or]+) costs nothing/.exec(read('docs/failures.md')) ?? [];
	const statuses = free.match(/\d+/g)?.map(Number) ?? [];
	expect(statuses).toContain(402);
	for (const status of statuses)
		expect(mayHaveBeenCharged(failureFromStatus(status, {}, undefined, 0))).toBe(false);
});

/** The hints that the page doesn't list, because they say everything themselves. */
const UNLISTED_HINTS: ReadonlySet<string> = new Set<keyof typeof HINTS>([
	...([
		'describeReusedRows',
		'describeNoMatch',
		'describeNotFound',
		'describeLimit',
		'describeInvalidUrls',
		'describeSplitLists',
		'describeFreeCount',
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
		'describeReadableRows',
		'describeNextRows',
		'describeAbsentCountries',
		'describeNoProfiles',
	] as const),
	...(['describeTruncation', 'describeFailedItems', 'describeMatchingCost'] as const),
]);

test.each(Object.entries(HINTS).filter(([name]) => !UNLISTED_HINTS.has(name)))(
	'docs/failures.md lists the hint of %s: "%s"',
	(_, hint) => {
		expect(rows.filter((cells) => describesMessage(cells, hint))).toHaveLength(1);
	},
);

test('every message in docs/failures.md exists in the code', () => {
	const knownTexts = [...FAILURES.map(({ message }) => message), ...Object.values(HINTS)];
	const otherRows = rows.filter(
		(cells) => !knownTexts.some((text) => describesMessage(cells, text)),
	);
	const sources = textsInSources();
	const isInSources = ([message = '']: readonly string[]) => {
		// A message about a parameter starts with its name and the input item.
		const problem = message.replace(/^'.+?'(?: in input item …| in the credential)? /, '');
		return sources.some((texts) => texts.test(problem) || texts.test(message));
	};
	expect(otherRows.filter((cells) => !isInSources(cells)).map(([message]) => message)).toEqual([]);
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
