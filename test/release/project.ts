/** Reads the project's files, for tests that compare the project with its pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

import { projectFolder } from '../../sandbox/paths';

export function read(file: string): string {
	return readFileSync(join(projectFolder, file), 'utf8');
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
