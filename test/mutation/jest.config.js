const { projects, testTimeout } = require('../../jest.config.js');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** The unit tests alone, with the same settings. */
module.exports = {
	...unit,
	// Stryker loads it itself, and knows no <rootDir>.
	testEnvironment: `${__dirname}/failing-once.js`,
	testRunner: '<rootDir>/test/mutation/jest-circus-once.js',
	testSequencer: '<rootDir>/test/mutation/examples-first.js',
	setupFiles: [...unit.setupFiles, '<rootDir>/test/mutation/no-shrinking.ts'],
	testTimeout,
};
