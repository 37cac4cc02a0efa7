/** Holds docs/failures.md to what the node really says and does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { tellFailure, type Circumstances } from '../../nodes/LeadSearch/operations/failureMessages';
import { mayHaveBeenCharged, type Failure } from '../../nodes/LeadSearch/service/failures';
import { retryAfter } from '../../nodes/LeadSearch/service/retries';
import { projectFolder } from '../../sandbox/paths';
import { read } from './project';

/** Cells of the tables, by the heading they stand under. */
const page = read('docs/failures.md');
const rows = (heading: string) =>
	section(heading)
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		)
		.filter(([first = '']) => !/^(Message|Hint|-+)$/.test(first));

function section(heading: string): string {
	return page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
}

/** A message of the page as a pattern; `…` is anything. */
function pattern(message: string): RegExp {
	return new RegExp(`^${message.split('…').map(escape).join('.*')}$`);
}

function escape(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const circumstances: Circumstances = {
	endpoint: 'search',
	baseUrl: 'https://leads.example.com',
	sessionToken: false,
	fetched: 0,
	timeoutMs: 300_000,
};

/** At least one failure of every kind; the type keeps the list complete. */
const failures: Readonly<
	Record<Failure['kind'], ReadonlyArray<[Partial<Failure>, Partial<Circumstances>]>>
> = {
	unauthorized: [
		[{}, {}],
		[{}, { endpoint: 'lookUp', sessionToken: true }],
		[{}, { endpoint: 'preview' }],
	],
	noCredits: [
		[{}, {}],
		[{}, { fetched: 60 }],
		[{}, { endpoint: 'lookUp', sessionToken: true, fetched: 1 }],
	],
	refused: [[{ status: 422, words: 'company_size is unknown' }, {}]],
	notTheService: [
		[{ status: 404 }, {}],
		[{ status: 302 }, { endpoint: 'preview' }],
	],
	tooManyRequests: [[{}, {}]],
	serverDown: [[{ status: 500 }, {}]],
	upstreamDown: [
		[{ status: 502 }, {}],
		[{ status: 504 }, { endpoint: 'lookUp' }],
	],
	unreachable: [[{ code: 'ENOTFOUND' }, {}]],
	notSent: [[{}, {}]],
	lostAnswer: [
		[{ timedOut: true }, {}],
		[{ code: 'ECONNRESET' }, { endpoint: 'lookUp' }],
	],
	unreadable: [
		[{}, {}],
		[{ tooLarge: true }, {}],
	],
	saidNo: [[{}, {}]],
	misfit: [[{ words: 'has_more is neither true nor false' }, {}]],
	cancelled: [
		[{}, {}],
		[{ inFlight: true }, { isPoll: true }],
	],
};

const samples = Object.entries(failures).flatMap(([kind, list]) =>
	list.map(([failure, where]) => {
		const sample: Failure = { ...failure, kind: kind as Failure['kind'] };
		return { sample, message: tellFailure(sample, { ...circumstances, ...where }).message };
	}),
);

describe('failures of the service and the network', () => {
	const table = rows('From the service').filter((cells) => cells.length === 5);

	test.each(samples)('the page has "$message" once, and says what follows', (entry) => {
		const found = table.filter(([message = '']) => pattern(message).test(entry.message));
		expect(found).toHaveLength(1);
		const [, , , triedAgain = '', charged = ''] = found[0] ?? [];
		const isRetried = retryAfter(entry.sample, 1, 3, 0) !== undefined;
		expect(triedAgain).toMatch(isRetried ? /^Yes/ : /^No/);
		expect(charged).toMatch(mayHaveBeenCharged(entry.sample) ? /^Yes/ : /^No/);
	});

	test.each(table)('"%s" is what people read', (message) => {
		expect(samples.map((sample) => sample.message)).toContainEqual(
			expect.stringMatching(pattern(message)),
		);
	});
});

describe('other messages', () => {
	const texts = sourceTexts();
	const messages = [
		...rows('From the service').filter((cells) => cells.length === 3),
		...rows('Before anything'),
		...rows('Hints'),
	].map(([message = '']) => message);

	test('are on the page', () => {
		expect(messages.length).toBeGreaterThan(20);
	});

	test.each(messages)('"%s" stands in the source', (message) => {
		// These name a parameter: its label, where it stands and the complaint are put together.
		const [, label, complaint] =
			/^'(.+?)' (?:of input item …|in the credential) (.+)$/.exec(message) ?? [];
		for (const text of [message, label, complaint]) {
			if (text !== undefined) expect(texts.some((said) => said.test(text))).toBe(true);
		}
	});
});

/** Every text in the source, as a pattern in which inserted values may be anything. */
function sourceTexts(): RegExp[] {
	const folder = join(projectFolder, 'nodes');
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => textsOf(read(join('nodes', file))))
		.filter((parts) => parts.length === 1 || parts.join('').length >= 8)
		.map((parts) => new RegExp(`^${parts.map(escape).join('.*')}$`));
}

/** Texts of one file, each cut where a value is inserted. */
function textsOf(source: string): string[][] {
	const texts: string[][] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push([node.text]);
		if (ts.isTemplateExpression(node)) {
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
	return texts;
}
