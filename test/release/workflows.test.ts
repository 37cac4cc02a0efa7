/** What runs on GitHub for a release can't be changed from outside, and only what publishes may sign. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { projectFolder } from '../../sandbox/paths';
import { read } from './project';

interface Workflow {
	readonly permissions: unknown;
	readonly jobs: Readonly<Record<string, { permissions?: unknown; steps?: Step[] }>>;
}
interface Step {
	readonly uses?: string;
	readonly run?: string;
	readonly env?: object;
}

const folder = '.github/workflows';
const files = readdirSync(join(projectFolder, folder));
const workflowIn = (file: string) => parse(read(`${folder}/${file}`)) as Workflow;

test.each(files)('%s names actions by the hash of a commit, and may read alone', (file) => {
	const used = [...read(`${folder}/${file}`).matchAll(/uses: *(.*)/g)].map(([, uses]) => uses);
	const pinned = /^(?:\.\/.*|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
	expect(used.filter((uses = '') => !pinned.test(uses))).toEqual([]);
	const { permissions, jobs } = workflowIn(file);
	expect(permissions).toEqual({ contents: 'read' });
	const allowed = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
	expect(allowed.map(([name]) => name)).toEqual(file === 'publish.yml' ? ['publish'] : []);
});

test('what a release waits for is every check', () => {
	const tests = { uses: './.github/workflows/ci.yml' };
	expect(workflowIn('publish.yml').jobs).toMatchObject({ test: tests, publish: { needs: 'test' } });
	for (const check of ['npm test', 'test:n8n', 'test:browser', 'test:scale', 'release:check'])
		expect(read(`${folder}/ci.yml`)).toContain(check);
});

// More could change what is published, or sign something else.
test('the job that publishes, which npm trusts, asks people, and runs nothing but what builds and publishes', () => {
	const { publish: { steps = [], ...job } = {} } = workflowIn('publish.yml').jobs;
	const permissions = { contents: 'read', 'id-token': 'write' };
	expect(job).toMatchObject({ environment: 'npm', permissions });
	const actions = steps.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []);
	expect(actions).toEqual(['actions/checkout', 'actions/setup-node']);
	expect(steps.flatMap(({ run }) => run?.trim() ?? [])).toEqual([
		expect.stringMatching(/^npm install --global npm@\d+\.\d+\.\d+$/),
		...['npm ci', 'npm run build'],
		// The token of the first version; later ones have none.
		'registry="$(npm config get registry)"\n' +
			'[ -z "$NPM_TOKEN" ] || npm config set "${registry#https:}:_authToken=$NPM_TOKEN"',
		'npm publish --provenance --access public',
	]);
	const token = { NPM_TOKEN: '${{ secrets.NPM_TOKEN }}' };
	expect(steps.flatMap(({ env }) => env ?? [])).toEqual([token]);
});
