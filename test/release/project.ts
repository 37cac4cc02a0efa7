/** Reads the project's files, for tests that compare the project with its pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectFolder } from '../../sandbox/paths';

export function read(file: string): string {
	return readFileSync(join(projectFolder, file), 'utf8');
}

export interface Table {
	readonly titles: readonly string[];
	readonly rows: ReadonlyArray<readonly string[]>;
}

/** Returns the tables of a page, without the marks of bold type. */
export function tablesIn(page: string): Table[] {
	const blocks = read(page).match(/^\|.*\n\| *:?-[^\n]*\n(?:\|.*\n)*/gm) ?? [];
	return blocks.map((block) => {
		const [titles = [], , ...rows] = block
			.trimEnd()
			.split('\n')
			.map((line) => line.slice(1, -1).split('|').map(plainText));
		return { titles, rows };
	});
}

const plainText = (cell: string) => cell.replaceAll('**', '').trim();

/** Returns the table of a page whose first titles are these. */
export function tableIn(page: string, ...first: string[]): Table {
	const found = tablesIn(page).filter(({ titles }) =>
		first.every((title, index) => titles[index] === title),
	);
	const [table] = found;
	if (!table || found.length > 1)
		throw new Error(`${page} has ${found.length} tables '${first.join(' | ')}'`);
	return table;
}

/** Returns the paths of all TypeScript files in a folder and its subfolders. */
export function sourcesIn(folder: string): string[] {
	return readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file).replaceAll('\\', '/'));
}

/** Calls back with every node of a file's syntax tree. */
export function visitSyntax(file: string, visit: (node: ts.Node) => void): void {
	const visitAll = (node: ts.Node): void => {
		visit(node);
		ts.forEachChild(node, visitAll);
	};
	visitAll(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
}

export const manifest = JSON.parse(read('package.json')) as Record<string, unknown> & {
	readonly version: string;
	readonly repository: { readonly url: string };
};
