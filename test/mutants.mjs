/** Runs `npm run test:mutation`. It breaks one line of the code that handles money at a time. A test must fail each time. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import execa from 'execa';

import { projectFolder } from '../sandbox/setup.mjs';

/** Each mutant has a file in nodes/LeadSearch, the test that must fail, a text of the file, and its replacement. */
const MUTANTS = [
	// Budgets.
	['paging/credits', 'node/promises', 'maxCredits - spentIn(this.before)', 'maxCredits'],
	['paging/credits', 'node/promises', 'ceiling - this.others.towardCeiling()', 'ceiling'],
	['spending/scope', 'node/promises', 'sum += other.reserved', 'sum += 0'],
	['execution/run', 'node/promises', 'run.settle(costOf(lists));', ''],
	['paging/fetchAll', 'paging/fetchAll', 'context.credits.reserve(request.size)', ''],
	['paging/fetchAll', 'paging/fetchAll', 'if (!mayHaveBeenCharged(reported)) this', 'this'],
	['paging/leadJob', 'paging/leads.property', 'maxRows <= 0', 'maxRows < 0'],
	// Page sizes.
	['paging/fetchAll', 'paging/losses', 'this.maxSize = SMALL_PAGE_SIZE', 'this.maxSize = Infinity'],
	[
		'paging/pagedList',
		'node/unexpectedResponses',
		'return isRejection(failure) && ',
		'return false && ',
	],
	['paging/leadJob', 'paging/leads.property', ' || size > list.receivedSize', ''],
	['api/network', 'node/proxies', 'return socket === null', 'return false'],
	['api/network', 'node/proxies', '(isUnsent(thrown) && response.status !== 407)', 'false'],
	// Searches without a filter, and limits.
	[
		'resources/lead/search.operation',
		'node/byAccident',
		'if (!hasFilter(read.filters))',
		'if (false)',
	],
	['trigger/poll', 'node/byAccident', 'if (!hasFilter(poll.request.filters))', 'if (false)'],
	['trigger/poll', 'node/trigger', 'limits.perMonth - today.spentThisMonth', 'Infinity'],
	['paging/lookUpJob', 'node/lookUp', 'rows - job.countRows() - job.list.rowsInFlight', 'rows'],
	// Reused results.
	['cache/paidResults', 'node/reuse', 'digest([baseUrl, ', 'digest(['],
	[
		'cache/paidResults',
		'node/age',
		'at > scope.startedAt - factor * reuseMinutes * MINUTE_MS',
		'at > 0',
	],
	['cache/paidResults', 'node/age', 'this.isSince(renewed.by) && this.isSince(bought, 2)', 'false'],
	['cache/paidResults', 'node/age', ' && this.isSince(bought, 2)', ''],
	['execution/run', 'node/memory', 'if (isThrown)', 'if (false)'],
	['cache/locks', 'node/reuse', 'if (larger.has(key))', 'if (false)'],
	['paging/leadList', 'node/repeats', '!isOnce && returned.has(text)', 'false'],
	['resources/simplify', 'node/reuse', 'deepCopy(value) : value', 'value : value'],
	// Cursors.
	['trigger/cursor', 'node/trigger', 'row: cursor.row + advance', 'row: cursor.row'],
	['trigger/fetch', 'node/polls.property', '!later.has(lead) || ', 'true || '],
	['trigger/poll', 'node/trigger', 'if (isSaved)\n', 'if (false)\n'],
	['trigger/cursorStorage', 'unit/cursor', 'isSavedWithWorkflow ? cursor : current', 'cursor'],
	['trigger/cursor', 'node/savedFormats', '.every(isAmount) &&', '.every(() => true) &&'],
	// Retries.
	[
		'api/retry',
		'paging/fetchAll',
		'failedAttempts > retryLimit',
		'failedAttempts > retryLimit + 1',
	],
	['api/failures', 'node/lostResponses', 'status === 504;', 'status === 599;'],
];

const folders = ['nodes', 'credentials', 'test', 'sandbox', 'bench'];
const jest = join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');

/** Tests all mutants, two at a time. @returns those that no test noticed */
export async function survivors() {
	const left = [...MUTANTS];
	const alive = [];
	const work = async () => {
		const copy = await mkdtemp(join(tmpdir(), 'lead-search-mutants-'));
		const isOwn = (path) => !/node_modules|\.home/.test(path.slice(projectFolder.length));
		for (const name of [...folders, 'package.json', 'jest.config.js', 'tsconfig.json'])
			await cp(join(projectFolder, name), join(copy, name), { recursive: true, filter: isOwn });
		await symlink(join(projectFolder, 'node_modules'), join(copy, 'node_modules'), 'junction');
		try {
			for (let mutant = left.shift(); mutant; mutant = left.shift())
				if (!(await isKilled(copy, mutant))) alive.push(mutant);
		} finally {
			await rm(copy, { recursive: true });
		}
	};
	await Promise.all([work(), work()]);
	for (const mutant of alive) process.stdout.write(`No test fails for: ${mutant.join(' | ')}\n`);
	process.stdout.write(
		`Tests noticed ${MUTANTS.length - alive.length} of ${MUTANTS.length} mutants\n`,
	);
	return alive;
}

async function isKilled(copy, [source, test, text, other]) {
	const file = join(copy, 'nodes', 'LeadSearch', `${source}.ts`);
	const before = await readFile(file, 'utf8');
	const [start, end, ...more] = before.split(text);
	if (end === undefined || more.length > 0)
		throw new Error(`${source} must contain "${text}" exactly once`);
	await writeFile(file, start + other + end);
	const run = [
		jest,
		'--runInBand',
		'--testTimeout=60000',
		'--runTestsByPath',
		`test/${test}.test.ts`,
	];
	const { all } = await execa(process.execPath, run, { cwd: copy, all: true, reject: false });
	await writeFile(file, before);
	// A mutant that can't be loaded doesn't count: a test has to fail.
	return /^Tests: +[1-9]\d* failed/m.test(all);
}
