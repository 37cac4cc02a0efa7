/** Checks the workflows on GitHub: their actions are pinned, and only the job that publishes has an identity. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import execa from 'execa';
import { parse } from 'yaml';

import { projectFolder } from '../../sandbox/paths';
import { manifest, read } from './project';

interface Workflow {
	readonly permissions: unknown;
	readonly jobs: Readonly<Record<string, Job | undefined>>;
}
interface Job {
	readonly permissions?: unknown;
	readonly steps?: readonly Step[];
}
interface Step {
	readonly name?: string;
	readonly uses?: string;
	readonly run?: string;
	readonly env?: object;
	readonly with?: object;
}

const folder = '.github/workflows';
const files = readdirSync(join(projectFolder, folder));
const readWorkflow = (file: string) => parse(read(`${folder}/${file}`)) as Workflow;
const { test: testJob, build, publish } = readWorkflow('publish.yml').jobs;

const actionsOf = (job: Job | undefined) =>
	job?.steps?.flatMap(({ uses }) => uses?.replace(/@.*/, '') ?? []);
const commandsOf = (job: Job | undefined) => job?.steps?.flatMap(({ run }) => run?.trim() ?? []);

test.each(files)('%s names actions by the hash of a commit, and its jobs may only read', (file) => {
	const used = [...read(`${folder}/${file}`).matchAll(/uses: *(.*)/g)].map(([, uses]) => uses);
	const pinned = /^(?:\.\/.*|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
	expect(used.filter((uses = '') => !pinned.test(uses))).toEqual([]);
	const { permissions, jobs } = readWorkflow(file);
	expect(permissions).toEqual({ contents: 'read' });
	const changed = Object.entries(jobs).filter(([, job]) => job?.permissions !== undefined);
	expect(changed.map(([name]) => name)).toEqual(file === 'publish.yml' ? ['publish'] : []);
});

test('a release waits for every check and for the build', () => {
	expect(testJob).toEqual({ uses: './.github/workflows/ci.yml' });
	expect(publish).toMatchObject({ needs: ['test', 'build'] });
	for (const check of ['npm test', 'test:n8n', 'test:browser', 'test:scale', 'release:check'])
		expect(read(`${folder}/ci.yml`)).toContain(check);
});

test('the compiler runs in a job that has no identity and no secret', () => {
	expect(commandsOf(build)).toEqual(
		expect.arrayContaining(['npm ci', 'npm run build', 'npm pack']),
	);
	expect(build?.permissions).toBeUndefined();
	expect(build?.steps?.flatMap(({ env }) => env ?? [])).toEqual([]);
});

// Any other command could change what is published, or sign something else.
test('the job that npm trusts waits for a reviewer, has no source, and only publishes the packed file', () => {
	expect(publish).toMatchObject({ environment: 'npm', permissions: { 'id-token': 'write' } });
	expect(actionsOf(publish)).toEqual(['actions/download-artifact', 'actions/setup-node']);
	expect(commandsOf(publish)).toEqual([
		expect.stringMatching(/^npm install --global npm@\d+\.\d+\.\d+$/),
		// Only the first version has this token.
		'registry="$(npm config get registry)"\n' +
			'[ -z "$NPM_TOKEN" ] || npm config set "${registry#https:}:_authToken=$NPM_TOKEN"',
		`npm publish "./${String(manifest.name)}-\${GITHUB_REF_NAME#v}.tgz" --provenance --access public`,
	]);
	const token = { NPM_TOKEN: '${{ secrets.NPM_TOKEN }}' };
	expect(publish?.steps?.flatMap(({ env }) => env ?? [])).toEqual([token]);
});

test('the file that one job uploads is the file that the other job downloads', () => {
	const stepOf = (job: Job | undefined, action: string) =>
		job?.steps?.find(({ uses = '' }) => uses.startsWith(action))?.with;
	expect(stepOf(build, 'actions/upload-artifact')).toMatchObject({
		name: 'package',
		path: `${String(manifest.name)}-*.tgz`,
		'if-no-files-found': 'error',
	});
	expect(stepOf(publish, 'actions/download-artifact')).toEqual({ name: 'package' });
});

describe('The tag of a release', () => {
	const { run: script = '' } = build?.steps?.find(({ name }) => name?.includes('tag')) ?? {};
	const compare = (tag: string) =>
		execa('bash', ['-e', '-c', script], {
			cwd: projectFolder,
			env: { GITHUB_REF_NAME: tag },
			reject: false,
		});

	test('a tag with the version of package.json starts a release', async () => {
		expect(await compare(`v${manifest.version}`)).toMatchObject({ exitCode: 0, stdout: '' });
	});

	test('a tag with another version fails the build before anything is installed', async () => {
		const { exitCode, stdout } = await compare(`v${manifest.version}1`);
		expect(exitCode).toBe(1);
		expect(stdout).toContain(`but package.json has version ${manifest.version}`);
		const steps = build?.steps?.map(({ run }) => run) ?? [];
		expect(steps.indexOf(script)).toBeLessThan(steps.indexOf('npm ci'));
	});
});

test('publish.yml refers to a page that describes a release and its token', () => {
	const [, heading = '', page = ''] =
		/See "(.+)" in (\S+\.md)\./.exec(read(`${folder}/publish.yml`)) ?? [];
	const [, section = ''] = read(page).split(`\n## ${heading}\n`);
	expect(section.split('\n## ')[0]).toContain('NPM_TOKEN');
});
