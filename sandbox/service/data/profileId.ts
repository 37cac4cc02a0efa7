/**
 * Profile ids: five base-36 digits that look random, one to one with lead numbers, so that the lead
 * behind a profile URL is computed instead of searched for.
 */

const SPACE = 36 ** 5;
const FACTOR = 40_692_161;
const SHIFT = 19_088_743;

/** The number that undoes FACTOR in arithmetic modulo SPACE (extended Euclid). */
function inverse(factor: number): number {
	let [previous, current] = [SPACE, factor];
	let [before, now] = [0, 1];
	while (current !== 0) {
		const quotient = Math.floor(previous / current);
		[previous, current] = [current, previous - quotient * current];
		[before, now] = [now, before - quotient * now];
	}
	return before < 0 ? before + SPACE : before;
}

const UNDO = inverse(FACTOR);

/** The profile id of a lead number between 0 and 36^5 - 1. */
export function profileId(lead: number): string {
	return ((lead * FACTOR + SHIFT) % SPACE).toString(36).padStart(5, '0');
}

/** The lead number of a profile id of five base-36 digits. */
export function leadOfProfileId(id: string): number {
	return (((parseInt(id, 36) - SHIFT + SPACE) % SPACE) * UNDO) % SPACE;
}
