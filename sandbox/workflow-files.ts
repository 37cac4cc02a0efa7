/** The ready-made workflows that come with the package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from './n8n/index';
import { projectFolder } from './paths';

const folder = join(projectFolder, 'workflows');

export function workflowNames(): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map((entry) => entry.name)
		.sort();
}

export function readText(name: string, file: string): string {
	return readFileSync(join(folder, name, file), 'utf8');
}

export function readWorkflow(name: string): Workflow {
	return JSON.parse(readText(name, 'workflow.json')) as Workflow;
}
