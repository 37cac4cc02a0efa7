const { projects, testTimeout } = require('../../jest.config.js');

/** The unit tests alone, with the same settings. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	testTimeout,
};
