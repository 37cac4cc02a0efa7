import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { parse } from 'yaml';

import { projectFolder } from '../paths';

interface Step {
	readonly uses?: string;
	readonly run?: string;
	readonly env?: Readonly<Record<string, string>>;
}

/** What GitHub's workflow syntax allows in `permissions`: words for all, or a level for each. */
type Permissions = string | Readonly<Record<string, string>>;

interface Job {
	readonly uses?: string;
	readonly needs?: string | readonly string[];
	readonly environment?: string;
	readonly permissions?: Permissions;
	readonly steps?: readonly Step[];
}

interface Workflow {
	readonly permissions?: Permissions;
	readonly jobs: Readonly<Record<string, Job>>;
}

/** The workflow that publishes, and the one that tests. */
const PUBLISH = 'publish.yml';
const TESTS = './.github/workflows/ci.yml';

/** The actions of the job that publishes. More could change what is published, or sign something else. */
const ACTIONS = ['actions/checkout', 'actions/setup-node'];
/** Its commands, in order, and for the same reason no more. */
const COMMANDS = [
	'npm install --global npm@1.2.3',
	'npm ci',
	'npm run build',
	// The token of the first version; later ones have none.
	'registry="$(npm config get registry)"\n' +
		'[ -z "$NPM_TOKEN" ] || npm config set "${registry#https:}:_authToken=$NPM_TOKEN"',
	'npm publish --provenance --access public',
];

/** The real workflows: the text of each, by the name of its file. */
export async function readWorkflows(): Promise<Record<string, string>> {
	const folder = join(projectFolder, '.github', 'workflows');
	const files = await readdir(folder);
	const texts = files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')]);
	return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/**
 * What is wrong with the workflows on GitHub: what they run must not change under us, and nothing but
 * what builds and publishes may run where npm takes the job for this project.
 * @param workflows the text of each, by the name of its file
 */
export function workflowProblems(workflows: Readonly<Record<string, string>>): string[] {
	return Object.entries(workflows).flatMap(([file, text]) => {
		const workflow = parse(text) as Workflow;
		const problems = [
			...unpinned(workflow, text),
			...identityProblems(workflow, file === PUBLISH),
			...(file === PUBLISH ? publishProblems(workflow) : []),
		];
		return problems.map((problem) => `.github/workflows/${file}: ${problem}`);
	});
}

/** Actions that are not named by the hash of a commit, with its version beside it. */
function unpinned({ jobs }: Workflow, text: string): string[] {
	const used = Object.values(jobs)
		.flatMap(({ uses, steps = [] }) => [uses, ...steps.map((step) => step.uses)])
		.filter((uses) => uses !== undefined);
	const pinned = /^\s*(?:- )?uses: (\S+@[0-9a-f]{40}) # v\d+\.\d+\.\d+$/gm;
	const named = [...text.matchAll(pinned)].map(([, uses]) => uses);
	const times = (list: ReadonlyArray<string | undefined>, uses: string) =>
		list.filter((other) => other === uses).length;
	return [...new Set(used)]
		.filter((uses) => !uses.startsWith('./') && times(named, uses) < times(used, uses))
		.map((uses) => `Name ${uses} by the hash of a commit, and say "# v1.2.3" beside it`);
}

function identityProblems({ permissions, jobs }: Workflow, publishes: boolean): string[] {
	const owned = Object.entries(jobs)
		.filter(([, job]) => canSign(job.permissions))
		.map(([name]) => name);
	const others = owned.filter((name) => !publishes || !isPublishing(jobs[name]));
	return [
		...(permissions === undefined || canSign(permissions)
			? ['Give the whole workflow `permissions: contents: read` and no more']
			: []),
		...others.map((name) => `Take \`id-token\` from the job ${name}, which does not publish`),
	];
}

function publishProblems({ jobs }: Workflow): string[] {
	const [publishing, ...more] = Object.values(jobs).filter(isPublishing);
	if (!publishing || more.length > 0) return ['Let one job run `npm publish`'];
	const { needs = [], environment, permissions, steps = [] } = publishing;
	const tests = [needs].flat().map((name) => jobs[name]?.uses);
	const actions = steps.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []);
	const commands = steps.flatMap(({ run }) => run?.trim() ?? []);
	const versioned = commands.map((run) => run.replace(/(?<=^npm .* npm)@\d+\.\d+\.\d+$/, '@1.2.3'));
	const token = steps.find(({ env }) => env?.NPM_TOKEN === '${{ secrets.NPM_TOKEN }}');
	const rules: ReadonlyArray<[isRight: boolean, problem: string]> = [
		[tests.includes(TESTS), `Let the job that publishes need one that uses ${TESTS}`],
		[
			environment === 'npm',
			'Let the job that publishes name `environment: npm`, which asks people',
		],
		[
			isDeepStrictEqual([actions, versioned], [ACTIONS, COMMANDS]),
			`Let the job that publishes run nothing but, in order: ${[...ACTIONS, ...COMMANDS].join('; ')}`,
		],
		[canSign(permissions), 'Give the job that publishes `id-token: write`, by which npm signs'],
		[token !== undefined, 'Hand it the secret NPM_TOKEN: the first version needs a token'],
	];
	return rules.filter(([isRight]) => !isRight).map(([, problem]) => problem);
}

function isPublishing(job: Job | undefined): boolean {
	return job?.steps?.some(({ run = '' }) => /\bnpm publish\b/.test(run)) ?? false;
}

function canSign(permissions: Permissions = {}): boolean {
	return typeof permissions === 'string'
		? permissions === 'write-all'
		: permissions['id-token'] === 'write';
}
