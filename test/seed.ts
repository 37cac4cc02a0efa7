/**
 * The seed of random tests. It is the same in every run, so that nobody meets a counterexample by chance. `npm run
 * test:soak` draws new numbers, and more of them.
 */
import fc from 'fast-check';

const SEED = 20261122;
const seed = Number(process.env.LEAD_SEARCH_SEED ?? SEED);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Random runs of the node, of which tests that take longer draw a part; enough for every change. */
export const RUNS = Number(process.env.LEAD_SEARCH_RUNS ?? 30);

/** Random runs of what takes a few milliseconds. */
export const DRAWS = Math.max(100, RUNS);

export const of = <T>(...values: T[]) => fc.constantFrom(...values);
export const between = (min: number, max: number) => fc.integer({ min, max });

/**
 * Expects that random draws met something more often than `least` times. So few of them may well not
 * have when they are new.
 */
export function expectMet(met: number, least: number, draws: number): void {
	if (seed === SEED || draws >= 1_000) expect(met).toBeGreaterThan(least);
}

/** Expects that nearly all draws reached their assertion. The soak prints how many did. */
export function expectReached(reached: number, draws: number): void {
	const share = `${reached} of ${draws} draws reached their assertion: ${expect.getState().currentTestName}`;
	if (process.env.LEAD_SEARCH_RUNS) process.stdout.write(`${share}\n`);
	expect(reached).toBeGreaterThan(draws * 0.9);
}
