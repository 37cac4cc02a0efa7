// Named once: Jest's sandbox makes every look at the global slow.
const { imul } = Math;

/**
 * A well-spread 32-bit number for a lead and a purpose. The same pair always gives the same number,
 * so a lead needs no storage: every one of its fields is computed from its number.
 */
export function hash(lead: number, salt: number): number {
	let h = imul(lead + 1, 0x9e3779b1) ^ salt;
	h = imul(h ^ (h >>> 16), 0x85ebca6b);
	h = imul(h ^ (h >>> 13), 0xc2b2ae35);
	return (h ^ (h >>> 16)) >>> 0;
}

/**
 * The entry of a pool that a hash points at.
 * @throws RangeError when the pool is empty
 */
export function pick<T>(pool: readonly T[], h: number): T {
	const entry = pool[h % pool.length];
	if (entry === undefined) throw new RangeError('Nothing to pick from');
	return entry;
}
