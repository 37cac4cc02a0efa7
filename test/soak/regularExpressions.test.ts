/**
 * Checks that all regular expressions in `nodes/` and `credentials/` take linear time. n8n can't do anything else while
 * one runs, and neither Stop nor a timeout can end it.
 *
 * Two checkers are used for each. recheck is exact, because it uses automata, but supports neither look-around nor
 * back-references. The rules of eslint-plugin-regexp support these, but miss some ambiguities.
 */
import { join } from 'node:path';

import { Linter } from 'eslint';
import * as regexpPlugin from 'eslint-plugin-regexp';
import { check } from 'recheck';
import ts from 'typescript';

import { projectFolder } from '../../sandbox/paths';
import { sourcesIn, visitSyntax } from '../release/project';

// Run recheck in a thread. By default, it starts an installed program or Java.
process.env.RECHECK_BACKEND = 'worker';

const linter = new Linter();
const rules: Linter.Config = {
	plugins: { regexp: regexpPlugin },
	rules: {
		'regexp/no-dupe-disjunctions': ['error', { reportExponentialBacktracking: 'certain' }],
		'regexp/no-super-linear-backtracking': ['error', { report: 'certain' }],
		'regexp/no-super-linear-move': ['error', { report: 'certain' }],
	},
};

/** The time limit for one expression, in milliseconds. Counted repetitions such as `{0,80}` can make the automaton huge. */
const CHECK_TIMEOUT = 60_000;

/** Returns why a regular expression may take more than linear time, or an empty list. */
async function problemsOf({ source, flags }: RegExp): Promise<string[]> {
	const proof = await check(source, flags, { checker: 'automaton', timeout: CHECK_TIMEOUT });
	const problems: string[] = [];
	if (proof.status === 'vulnerable') problems.push(`takes ${proof.complexity.summary} time`);
	if (proof.status === 'unknown' && proof.error.kind !== 'unsupported')
		problems.push(`can't be checked: ${proof.error.kind}`);
	const found = linter.verify(`/${source}/${flags};`, rules);
	return [...problems, ...found.map(({ ruleId, message }) => `${ruleId ?? ''}: ${message}`)];
}

const files = [...sourcesIn('credentials'), ...sourcesIn('nodes')];
const written: RegExp[] = [];
let constructed = 0;
for (const file of files)
	visitSyntax(file, (node) => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, text = '', flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
			written.push(new RegExp(text, flags));
		}
		if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') constructed += 1;
	});

const built = jest.spyOn(globalThis, 'RegExp');
for (const file of files) jest.requireActual(join(projectFolder, file));
const found = [...written, ...built.mock.results.map(({ value }) => value as RegExp)];
built.mockRestore();

test('every regular expression is created while its file is loaded, so that it can be checked', () => {
	expect(written.length).toBeGreaterThan(0);
	expect(found).toHaveLength(written.length + constructed);
});

test.each(found.map((pattern) => [pattern]))(
	'the regular expression %s takes linear time',
	async (pattern) => {
		expect(await problemsOf(pattern)).toEqual([]);
	},
);

test.each([
	[/^(?:[a-z]{1,3}\.?)*!/, 'exponential'],
	[/\/+$/, '2nd degree polynomial'],
	[/(?:(?:www|[a-z]{1,3})\.)*linkedin\.com(?=[\s,;]|$)/y, 'no-dupe-disjunctions'],
	[/^(?!a)(?:\w+\s?)*$/, 'no-super-linear-backtracking'],
	[/(?:(?!-)[\s-])+$/, 'no-super-linear-move'],
])('the check finds that %s is slow', async (pattern, problem) => {
	expect((await problemsOf(pattern)).join()).toContain(problem);
});
