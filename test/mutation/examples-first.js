const { statSync } = require('node:fs');

const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Most mutants are killed by an example, in a fraction of the time of random tests, and by the test
 * of their own file sooner than by one of all that uses it, which is larger.
 */
module.exports = class extends Sequencer {
	sort(tests) {
		const isRandom = ({ path }) => path.endsWith('.property.test.ts');
		const sizeOf = ({ path }) => statSync(path).size;
		return [...tests].sort(
			(one, other) => isRandom(one) - isRandom(other) || sizeOf(one) - sizeOf(other),
		);
	}
};
