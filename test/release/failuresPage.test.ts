/** Holds docs/failures.md to what the node says: no message may be missing, or have changed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { mayHaveBeenCharged, type Failure } from '../../nodes/LeadSearch/api/failures';
import { decideRetry } from '../../nodes/LeadSearch/api/retry';
import * as hints from '../../nodes/LeadSearch/messages/hints';
import type { Unfinished } from '../../nodes/LeadSearch/messages/stoppedRun';
import { formatFailure, type Circumstances } from '../../nodes/LeadSearch/messages/failures';
import { projectFolder } from '../../sandbox/paths';
import { read } from './project';

/** Cells of the tables, by the heading they are under. */
const page = read('docs/failures.md');
const rows = (heading: string) =>
	(page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		)
		.filter(([first = '']) => !/^(Message|Hint|-+)$/.test(first));
const messagesOf = (heading: string) => rows(heading).map(([message = '']) => message);

/** A message of the page as a pattern; `…` is anything. */
function pattern(message: string): RegExp {
	return new RegExp(`^${message.split('…').map(escape).join('.*')}$`);
}

function escape(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

describe('failures of the service and the network', () => {
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
			[{ atEndProbe: true }, { fetched: 60 }],
		],
		refused: [[{ status: 422, text: 'company_size is unknown' }, {}]],
		notTheService: [
			[{ status: 404 }, {}],
			[{ status: 302 }, { endpoint: 'preview' }],
			[{ status: 204 }, {}],
		],
		tooManyRequests: [[{}, {}]],
		serverDown: [[{ status: 500 }, {}]],
		upstreamDown: [
			[{ status: 502 }, {}],
			[{ status: 503 }, { endpoint: 'lookUp' }],
			[{ status: 504 }, { endpoint: 'lookUp' }],
		],
		unreachable: [[{ code: 'ENOTFOUND' }, {}]],
		notSent: [[{}, {}]],
		lostResponse: [
			[{ timedOut: true }, {}],
			[{ code: 'ECONNRESET' }, { endpoint: 'lookUp' }],
		],
		unreadable: [
			[{}, {}],
			[{ tooLarge: true }, {}],
		],
		unsuccessful: [[{}, {}]],
		protocolViolation: [[{ text: 'has_more is neither true nor false' }, {}]],
		cancelled: [
			[{}, {}],
			[{ inFlight: true }, { isPoll: true }],
		],
	};

	const samples = Object.entries(failures).flatMap(([kind, list]) =>
		list.map(([failure, where]) => {
			const sample: Failure = { ...failure, kind: kind as Failure['kind'] };
			return {
				sample,
				message: formatFailure(sample, { ...circumstances, ...where }).message,
			};
		}),
	);
	const table = rows('From the service').filter((cells) => cells.length === 5);

	test.each(samples)('the page has "$message" once, and says what follows', (entry) => {
		const found = table.filter(([message = '']) => pattern(message).test(entry.message));
		expect(found).toHaveLength(1);
		const [, , , triedAgain = '', charged = ''] = found[0] ?? [];
		const isRetried = decideRetry(entry.sample, 1, 3, 0) !== undefined;
		expect(triedAgain).toMatch(isRetried ? /^Yes/ : /^No/);
		expect(charged).toMatch(mayHaveBeenCharged(entry.sample) ? /^Yes/ : /^No/);
	});

	test.each(table)('"%s" is what people read', (message) => {
		expect(samples.map((sample) => sample.message)).toContainEqual(
			expect.stringMatching(pattern(message)),
		);
	});
});

describe('what is found before anything is sent', () => {
	const messages = messagesOf('Before anything');
	const problems = ['parameters', 'resources', 'api/baseUrl', 'api/authentication']
		.flatMap(textsOf)
		.filter(([start = '']) => /^(is|holds|sets|can't|does|has) /.test(start));

	test.each(problems)('the page has "%s"', (...parts) => {
		// The value that is inserted last may stand for more of the text.
		const text = parts.join('…').replace(/…$/, '');
		expect(messages.filter((message) => message.includes(text))).not.toEqual([]);
	});

	test.each(
		['execution', 'trigger', 'messages/stoppedRun', 'messages/polls'].flatMap(messagesIn),
	)('the page has "%s"', (message) => {
		expect(page).toContain(message);
	});
});

describe('hints', () => {
	type Hint = Extract<keyof typeof hints, `hint${string}`>;
	const figures = { charged: 5, possiblyCharged: 5, lostResponses: 1, requests: 2, returned: 5 };
	const unfinished: Unfinished = {
		endpoint: 'search',
		remainder: {
			items: [0],
			rows: {
				wanted: { from: 0, to: 9 },
				isReturnAll: false,
				missing: [{ from: 5, to: 9 }],
			},
		},
		items: [],
		notRun: [],
	};

	/** One of every kind; the type keeps the list complete. */
	const said: Record<Hint, string> = {
		hintCost: hints.hintCost('search', figures, figures),
		hintReused: hints.hintReused('search', 5, 9, 12),
		hintLimit: hints.hintLimit(3, [2, 3]),
		hintNotRecorded: hints.hintNotRecorded(2, new Error('the disk is full')),
		hintMissing: hints.hintMissing(unfinished),
		hintBudget: hints.hintBudget(5, figures, unfinished),
		hintLostResponses: hints.hintLostResponses(figures),
		hintInvalidUrls: hints.hintInvalidUrls(['example.com', { a: 1 }]),
		hintSameProfiles: hints.hintSameProfiles(3),
		hintSame: hints.hintSame(2, 'search'),
		hintMaxResults: hints.hintMaxResults(),
		hintUnverifiedEnd: hints.hintUnverifiedEnd('search'),
		hintRepeated: hints.hintRepeated(5, 'search'),
		hintUnwanted: hints.hintUnwanted(5, 'search'),
	};

	test.each(Object.entries(said))('%s is on the page: "%s"', (_, hint) => {
		expect(messagesOf('Hints').some((message) => pattern(message).test(hint))).toBe(true);
	});
});

test('the other messages of the page are in the source', () => {
	const others = [
		...rows('From the service').filter((cells) => cells.length === 3),
		...rows('Hints').slice(-1),
		...rows('Before anything').filter(([message = '']) => !message.startsWith("'")),
	].map(([message = '']) => message);
	const texts = textsOf('').map((parts) => new RegExp(`^${parts.map(escape).join('.*')}$`));
	expect(others.filter((message) => !texts.some((text) => text.test(message)))).toEqual([]);
});

/** Texts in the sources at a path, each cut where a value is inserted; the shortest say nothing. */
function textsOf(path: string): string[][] {
	const texts: string[][] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push([node.text]);
		if (ts.isTemplateExpression(node)) {
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
		}
		ts.forEachChild(node, visit);
	};
	for (const source of sourcesAt(path)) visit(source);
	return texts.filter((parts) => parts.join('').length >= 8);
}

/** Messages in the sources at a path, as `refuse('…', …)` and `{ message: '…' }` have them. */
function messagesIn(path: string): string[] {
	const messages: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && node.expression.getText() === 'refuse') {
			messages.push(...textOf(node.arguments[0]));
		}
		if (ts.isPropertyAssignment(node) && node.name.getText() === 'message') {
			messages.push(...textOf(node.initializer));
		}
		ts.forEachChild(node, visit);
	};
	for (const source of sourcesAt(path)) visit(source);
	return messages.filter((message) => /^[A-Z]/.test(message));
}

/** A text with `…` where a value is inserted; none of what is no text. */
function textOf(node: ts.Node | undefined): string[] {
	if (node && ts.isStringLiteralLike(node)) return [node.text];
	if (!node || !ts.isTemplateExpression(node)) return [];
	return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')];
}

function sourcesAt(path: string): ts.SourceFile[] {
	return readdirSync(join(projectFolder, 'nodes/LeadSearch'), {
		recursive: true,
		encoding: 'utf8',
	})
		.map((file) => file.replaceAll('\\', '/'))
		.filter((file) => file.endsWith('.ts') && file.startsWith(path))
		.map((file) =>
			ts.createSourceFile(
				file,
				read(`nodes/LeadSearch/${file}`),
				ts.ScriptTarget.Latest,
				true,
			),
		);
}
