const { default: Sequencer } = require('@jest/test-sequencer');

/** Most mutants are killed by an example, in a fraction of the time of random tests. */
module.exports = class extends Sequencer {
	sort(tests) {
		const isRandom = ({ path }) => path.endsWith('.property.test.ts');
		return [...tests].sort((one, other) => isRandom(one) - isRandom(other));
	}
};
