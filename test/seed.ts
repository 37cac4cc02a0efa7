/**
 * The seed of random tests. It is the same in every run, so that no test fails by chance. `npm run test:soak` draws new
 * numbers, and more of them.
 */
import fc from 'fast-check';

const SEED = 20261122;
const seed = Number(process.env.LEAD_SEARCH_SEED ?? SEED);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** The number of random runs of the node. Slow tests draw only a part of this number. */
export const RUNS = Number(process.env.LEAD_SEARCH_RUNS ?? 30);

/** The number of random runs of functions that take a few milliseconds. */
export const DRAWS = Math.max(100, RUNS);

export const of = <T>(...values: T[]) => fc.constantFrom(...values);
export const between = (min: number, max: number) => fc.integer({ min, max });

/**
 * Expects that more than `minimum` random draws had a property. A few draws with a new seed are not checked, because
 * they can miss the property by chance.
 */
export function expectMet(count: number, minimum: number, draws: number): void {
	if (seed === SEED || draws >= 1_000) expect(count).toBeGreaterThan(minimum);
}

/** Expects that nearly all draws reached their assertion. The soak prints how many did. */
export function expectReached(reached: number, draws: number): void {
	const share = `${reached} of ${draws} draws reached their assertion: ${expect.getState().currentTestName}`;
	if (process.env.LEAD_SEARCH_RUNS) process.stdout.write(`${share}\n`);
	expect(reached).toBeGreaterThan(draws * 0.9);
}
