/** What runs on GitHub for a release can't be changed from outside, and only what publishes may sign. */
import { readWorkflows, workflowProblems } from '../../sandbox/release/workflows';

let real: Record<string, string>;
beforeAll(async () => {
	real = await readWorkflows();
});

/** What is said once a text in one of the real workflows is another. */
function problemsWith(file: string, text: string, other: string): string {
	const changed = real[file]?.replace(text, other) ?? '';
	expect(changed).not.toBe(real[file]);
	return workflowProblems({ ...real, [file]: changed }).join('\n');
}

test('the real workflows pass', () => {
	expect(Object.keys(real)).toContain('publish.yml');
	expect(workflowProblems(real)).toEqual([]);
});

test('what a release waits for is every check', () => {
	for (const check of ['npm test', 'test:n8n', 'test:browser', 'test:scale', 'release:check'])
		expect(real['ci.yml']).toContain(check);
});

describe('A workflow', () => {
	test.each(['ci.yml', 'nightly.yml', 'publish.yml'])('%s names actions by hash alone', (file) => {
		const [whole = '', hash = '', version = ''] =
			/([0-9a-f]{40}) # (v[\d.]+)/.exec(real[file] ?? '') ?? [];
		const problem = 'by the hash of a commit';
		expect(problemsWith(file, hash, version)).toContain(problem);
		expect(problemsWith(file, hash, hash.slice(0, 12))).toContain(problem);
		expect(problemsWith(file, whole, hash)).toContain(problem);
	});

	const read = 'permissions:\n  contents: read\n';
	test.each([
		['ci.yml', read, `${read}  id-token: write\n`, 'contents: read` and no more'],
		['nightly.yml', read, 'permissions: write-all\n', 'contents: read` and no more'],
		['ci.yml', read, '', 'contents: read` and no more'],
		['nightly.yml', 'steps:', 'permissions: { id-token: write }\n    steps:', 'from the job soak'],
		[
			'publish.yml',
			'uses: ./',
			'permissions: { id-token: write }\n    uses: ./',
			'from the job test',
		],
	])('%s with %j as %j may sign and does not publish', (file, text, other, problem) => {
		expect(problemsWith(file, text, other)).toContain(problem);
	});
});

describe('The job that publishes', () => {
	const alone = 'run nothing but, in order';
	test.each([
		['- run: npm ci', '- run: npm ci\n      - run: npm test', alone],
		['- run: npm run build', '- run: npm run build && npm run release:check', alone],
		['- run: npm ci', '- uses: ./.github/actions/tests\n      - run: npm ci', alone],
		['- run: npm run build\n', '', alone],
		['npm ci', 'npm install', alone],
		['npm@11.19.1', 'npm@11', alone],
		[' --provenance', '', alone],
		['id-token: write', 'id-token: none', 'by which npm signs'],
		['NPM_TOKEN: ${{', 'OTHER: ${{', 'the first version needs a token'],
		['environment: npm', 'environment: other', 'which asks people'],
		['needs: test', 'needs: []', 'need one that uses'],
		[
			'uses: ./.github/workflows/ci.yml',
			'uses: ./.github/workflows/nightly.yml',
			'need one that uses',
		],
		['npm publish', 'npm pack', 'Let one job run'],
	])('does not pass with %j as %j', (text, other, problem) => {
		expect(problemsWith('publish.yml', text, other)).toContain(problem);
	});
});
