/** Checks that pages and comments avoid words that are hard to understand, and that pages avoid long sentences. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';

const project = join(__dirname, '..', '..');

/** Limit of words in a sentence of a page. */
const MAX_WORDS = 30;

/** Patterns to avoid, each with advice. */
const AVOID: ReadonlyArray<readonly [pattern: RegExp, advice: string]> = [
	[/\banew\b|\bonce more\b/i, 'write: again'],
	[/\bin vain\b/i, 'write: wasted, or: without a result'],
	[/[;,.] told\b/i, 'write: a hint says so'],
	[/\b(?:it|this|that) is told\b/i, 'write: the message says'],
	[/\bwhose (?:it|they) (?:is|are)\b/i, 'write: which URL it belongs to'],
	[/\b(?:for|wants?) the same(?! \w)/i, 'say what is the same'],
	[/\bbut (?:for|by|where|of)\b/i, 'write: except'],
	[/(?<!\bthere )\b(?:is|are) none\b|\bthat (?:is|are) no\b/i, 'write: is not a …'],
	[/\b(?:come|came|comes) out\b/i, 'write: is returned'],
	[/\bbeside\b/i, 'write: next to, or: in addition to'],
];

/** Returns the paths of files with an extension, relative to the project. */
function filesIn(extension: string, patterns: string[]): string[] {
	const excluded = ['**/node_modules', '**/.home', '**/dist', '**/coverage'];
	return ts.sys
		.readDirectory(project, [extension], excluded, patterns)
		.map((file) => relative(project, file).replaceAll('\\', '/'));
}

/** Splits a text into sentences and table cells. Ignores code and the targets of links. */
function sentencesOf(text: string): string[] {
	return text
		.replace(/^ *```[^]*?^ *```/gm, '')
		.replace(/`[^`\n]*`/g, 'code')
		.replace(/\]\([^)]*\)/g, ']')
		.split(/(?<=[.!?:;][*_)"]*)\s+|\n{2,}|\n(?=\s*[-|#\d])|\|/)
		.map((sentence) => sentence.replace(/\s+/g, ' ').trim())
		.filter((sentence) => sentence !== '');
}

/** Returns the comments of a source. Line comments that follow each other are one comment. */
function commentsOf(source: string): string[] {
	const tree = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
	const ranges = new Map<number, ts.CommentRange>();
	// Comments are only before and after tokens, so text in strings and templates is never one.
	const visit = (node: ts.Node): void => {
		const leading = ts.getLeadingCommentRanges(source, node.pos) ?? [];
		const trailing = ts.getTrailingCommentRanges(source, node.end) ?? [];
		for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
		for (const child of node.getChildren(tree)) visit(child);
	};
	visit(tree);

	const comments: string[] = [];
	let previous: ts.CommentRange | undefined;
	for (const range of [...ranges.values()].sort((one, other) => one.pos - other.pos)) {
		const text = source
			.slice(range.pos, range.end)
			.replace(/^\/\*+|\*+\/$|^\/\/ ?/g, '')
			.replace(/\n\s*\* ?/g, '\n')
			.trim();
		const isContinued =
			previous?.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
			range.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
			/^\n[ \t]*$/.test(source.slice(previous.end, range.pos));
		if (isContinued) comments.push(`${comments.pop() ?? ''} ${text}`);
		else comments.push(text);
		previous = range;
	}
	return comments;
}

function adviceFor(sentence: string, isPage: boolean): string[] {
	const advice = AVOID.filter(([pattern]) => pattern.test(sentence)).map(([, text]) => text);
	const isLong = isPage && sentence.split(' ').length > MAX_WORDS;
	return [...advice, ...(isLong ? ['write shorter sentences'] : [])].map(
		(text) => `${text}: ${sentence}`,
	);
}

const pages = filesIn('.md', ['*', 'docs/*', 'bench/*', 'workflows/**/*']).filter(
	(page) => page !== 'LICENSE.md',
);
const folders = ['nodes/**/*', 'credentials/*', 'sandbox/**/*', 'bench/*', 'test/**/*'];
const sources = ['.ts', '.mjs', '.cjs', '.js'].flatMap((extension) => filesIn(extension, folders));

test.each(pages)('%s is written in plain words and short sentences', (page) => {
	const sentences = sentencesOf(readFileSync(join(project, page), 'utf8'));
	expect(sentences.flatMap((sentence) => adviceFor(sentence, true))).toEqual([]);
});

test.each(sources)('the comments of %s are written in plain words', (file) => {
	const sentences = commentsOf(readFileSync(join(project, file), 'utf8')).flatMap(sentencesOf);
	expect(sentences.flatMap((sentence) => adviceFor(sentence, false))).toEqual([]);
});

test('comments are found in code, but not in strings', () => {
	const source =
		"/** One.\n * Two. */\nconst a = '// no'; // three\n\n// four\n// five\nf(`/* no */`);";
	expect(commentsOf(source)).toEqual(['One.\nTwo.', 'three', 'four five']);
});

test('an avoided word and a long sentence of a page are reported', () => {
	expect(adviceFor('It is bought anew.', false)).toEqual(['write: again: It is bought anew.']);
	const long = 'word '.repeat(MAX_WORDS + 1).trim();
	expect([adviceFor(long, true).length, adviceFor(long, false).length]).toEqual([1, 0]);
});
