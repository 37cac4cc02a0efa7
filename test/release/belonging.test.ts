/** One place asks n8n what a run belongs to: budgets, sums and reuse would disagree otherwise. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectFolder } from '../../sandbox/paths';
import { read } from './project';

const ASKED = ['getExecutionId', 'getMode', 'getWorkflow', 'getContext'];

/** The trigger, which has no execution of its own, keeps its place by workflow. */
const MAY_ASK = /^(execution\/belonging\.ts|trigger\/.+)$/;

const folder = 'nodes/LeadSearch';
const files = readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.ts'));

interface Question {
	readonly method: string;
	/** Whether a `catch` hides what n8n lacks. */
	readonly isCaught: boolean;
}

/** Where a file asks n8n, in whatever way: as a call, by a name in brackets or taken out of the context. */
function questionsIn(text: string, asked = ASKED): Question[] {
	const found: Question[] = [];
	const visit = (node: ts.Node, isCaught: boolean): void => {
		const isName = ts.isIdentifier(node) || ts.isStringLiteralLike(node);
		if (isName && asked.includes(node.text)) found.push({ method: node.text, isCaught });
		ts.forEachChild(node, (child) => {
			const isTried = ts.isTryStatement(node) && child === node.tryBlock && !!node.catchClause;
			visit(child, isCaught || isTried);
		});
	};
	visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true), false);
	return found;
}

test('belonging.ts asks for all of it, and hides nothing that n8n lacks', () => {
	const questions = questionsIn(read(`${folder}/execution/belonging.ts`));
	expect(new Set(questions.map(({ method }) => method))).toEqual(new Set(ASKED));
});

test.each(files)('%s', (file) => {
	const questions = questionsIn(read(`${folder}/${file}`));
	expect(questions.filter(({ isCaught }) => isCaught)).toEqual([]);
	if (!MAY_ASK.test(file)) expect(questions).toEqual([]);
});

test('what is written to the log names what runs: one place writes it', () => {
	const writing = files.filter((file) => questionsIn(read(`${folder}/${file}`), ['logger']).length);
	expect(writing).toEqual(['execution/log.ts']);
});

test.each([
	['try { context.getContext("node") } catch { return {} }', [['getContext', true]]],
	['try { run() } catch { context.getMode() }', [['getMode', false]]],
	['try { context.getMode() } finally { end() }', [['getMode', false]]],
	['const { getWorkflow } = context', [['getWorkflow', false]]],
	['context["getExecutionId"]()', [['getExecutionId', false]]],
	['// getMode', []],
])('is found: %s', (text, expected) => {
	const found = questionsIn(text).map(({ method, isCaught }) => [method, isCaught]);
	expect(found).toEqual(expected);
});
