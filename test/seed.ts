/** Lets random tests draw the same in every run where a seed is given: LEAD_SEARCH_SEED. */
import fc from 'fast-check';

const { LEAD_SEARCH_SEED: seed } = process.env;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
