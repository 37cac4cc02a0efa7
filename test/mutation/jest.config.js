const { projects, testTimeout } = require('../../jest.config.js');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** The unit tests alone, with the same settings. */
module.exports = {
	...unit,
	testSequencer: '<rootDir>/test/mutation/examples-first.js',
	setupFiles: [...unit.setupFiles, '<rootDir>/test/mutation/no-shrinking.ts'],
	testTimeout,
};
