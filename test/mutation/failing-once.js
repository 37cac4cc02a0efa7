const { TestEnvironment } = require('jest-environment-node');

/** The mutant that a test has failed with last. A process tries many, one after the other. */
let killed;

/**
 * One failed test kills a mutant, and Stryker has no way to let Jest stop there, although most mutants
 * fail one of the first. So the tests that remain are skipped.
 */
module.exports = class extends TestEnvironment {
	/** Whether a test has failed with the mutant that is tried now. */
	static get isKilled() {
		return killed !== undefined && killed === process.env.__STRYKER_ACTIVE_MUTANT__;
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_start' && module.exports.isKilled) test.mode = 'skip';
		if (name === 'test_done' && test.errors.length > 0) {
			killed = process.env.__STRYKER_ACTIVE_MUTANT__;
		}
	}
};
