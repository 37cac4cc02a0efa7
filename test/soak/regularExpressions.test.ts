/**
 * No regular expression in `nodes/` and `credentials/` takes more than linear time, whatever it is given:
 * while one runs, nothing else in n8n does, and neither Stop nor a timeout can end it.
 *
 * Two checkers judge each. recheck decides exactly, by automata, but supports neither look-around nor
 * back-references. The rules of eslint-plugin-regexp support these, but don't see every ambiguity.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { Linter } from 'eslint';
import * as regexpPlugin from 'eslint-plugin-regexp';
import { check } from 'recheck';
import ts from 'typescript';

import { projectFolder } from '../../sandbox/paths';
import { read } from '../release/project';

// In a thread of its own; recheck would start a program that npm installed, or Java, where it finds them.
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

/** Why a regular expression may take more than linear time; empty when it doesn't. */
async function problemsOf({ source, flags }: RegExp): Promise<string[]> {
	const proof = await check(source, flags, { checker: 'automaton', timeout: null });
	const proven = proof.status === 'vulnerable' ? [`takes ${proof.complexity.summary} time`] : [];
	try {
		const found = linter.verify(`/${source}/${flags};`, rules);
		return [...proven, ...found.map(({ ruleId, message }) => `${ruleId ?? ''}: ${message}`)];
	} catch (error) {
		return [...proven, `is too large to be judged: split it (${String(error)})`];
	}
}

/** @returns how a regular expression that stands in a file is written there, and in which line, in order */
function writtenIn(file: string) {
	const literals: Array<{ line: number; pattern: RegExp }> = [];
	const built: number[] = [];
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
	const visit = (node: ts.Node): void => {
		const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
		if (ts.isRegularExpressionLiteral(node)) {
			const [, text = '', flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
			literals.push({ line, pattern: new RegExp(text, flags) });
		}
		if (ts.isIdentifier(node) && node.text === 'RegExp' && ts.isNewExpression(node.parent)) {
			built.push(line);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return { literals, built };
}

const builtIn = new Map<string, RegExp[]>();
const loaded = new Map<string, { exports: unknown }>();

/** Runs a file of the sources with a `RegExp` that notes what is built. @returns what the file exports */
function load(file: string): unknown {
	const known = loaded.get(file);
	if (known) return known.exports;
	const patterns: RegExp[] = [];
	const Noted = class extends RegExp {
		constructor(pattern: string | RegExp, flags?: string) {
			super(pattern, flags);
			patterns.push(this);
		}
	};
	const module = { exports: {} as unknown };
	loaded.set(file, module);
	builtIn.set(file, patterns);
	const requireOther = createRequire(join(projectFolder, file));
	const require = (name: string): unknown => {
		if (!name.startsWith('.')) return requireOther(name);
		const path = join(file, '..', name).replaceAll('\\', '/');
		return load(existsSync(join(projectFolder, `${path}.ts`)) ? `${path}.ts` : `${path}/index.ts`);
	};
	const { outputText } = ts.transpileModule(read(file), {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
	});
	const run = compileFunction(outputText, ['exports', 'require', 'module', 'RegExp']);
	Reflect.apply(run, undefined, [module.exports, require, module, Noted]);
	return module.exports;
}

const files = ['credentials', 'nodes'].flatMap((folder) =>
	readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
);
/** Those that are built later are built of secrets. */
const ERROR_TEXT = 'nodes/LeadSearch/api/errorText.ts';
const { redactor } = load(ERROR_TEXT) as { redactor: (secrets: string[]) => unknown };
redactor(['k/"\\&9']);

const found = files.flatMap((file) => {
	const { literals, built } = writtenIn(file);
	load(file);
	const patterns = builtIn.get(file) ?? [];
	return [
		...literals.map(({ line, pattern }) => ({ at: `${file}:${line}`, pattern })),
		...built.map((line, index) => ({ at: `${file}:${line}`, pattern: patterns[index] })),
	];
});

test('every one is written or built while its file is loaded, so that it can be checked', () => {
	expect(found.length).toBeGreaterThan(0);
	expect(found.filter(({ pattern }) => !pattern).map(({ at }) => at)).toEqual([]);
	const more = files.filter((file) => builtIn.get(file)?.length !== writtenIn(file).built.length);
	expect(more).toEqual([]);
});

test.each(found)('$at takes linear time: $pattern', async ({ pattern }) => {
	expect(pattern && (await problemsOf(pattern))).toEqual([]);
});

test.each([
	[/^(?:(?:www|[a-z]{1,3}|touch)\.)*linkedin\.com$/, 'exponential'],
	[/^(?:[a-z]{1,3}\.?)*!/, 'exponential'],
	[/(?:(?:www|[a-z]{1,3})\.)*linkedin\.com(?=[\s,;]|$)/y, 'no-dupe-disjunctions'],
	[/^(?!a)(?:\w+\s?)*$/, 'no-super-linear-backtracking'],
	[/\/+$/, '2nd degree polynomial'],
	[/(?:(?!-)[\s-])+$/, 'no-super-linear-move'],
])('the check finds %s', async (pattern, problem) => {
	expect((await problemsOf(pattern)).join()).toContain(problem);
});

test.each([/^(?:[a-z]{1,5}\.)*linkedin\.com$/, /(?<!\/)\/+(?!.)/s, /^(["'])[^"']*\1$/])(
	'the check lets %s pass',
	async (pattern) => {
		expect(await problemsOf(pattern)).toEqual([]);
	},
);
