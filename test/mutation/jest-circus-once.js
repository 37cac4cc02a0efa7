const { default: circus } = require('jest-circus/runner');
const { createEmptyTestResult } = require('@jest/test-result');

const FailingOnce = require('./failing-once');

/**
 * Jest's own runner, but once a test has failed it loads no further file. Stryker takes it for Jest's
 * own by the name of this file.
 */
module.exports = async (...run) => {
	if (!FailingOnce.isKilled) return await circus(...run);
	const testFilePath = run[4];
	const skipped = { ancestorTitles: [], failureMessages: [], fullName: '', numPassingAsserts: 0 };
	return {
		...createEmptyTestResult(),
		testFilePath,
		numPendingTests: 1,
		// A file without any test would count as one that can't be loaded.
		testResults: [{ ...skipped, title: '', status: 'pending' }],
	};
};
