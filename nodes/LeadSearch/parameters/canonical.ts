/**
 * A text that is the same for values that mean the same to the service: keys of objects in any order.
 * Of lists the order counts, since the order of what comes back may follow it.
 */
export function canonical(value: unknown): string {
	return JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === 'object' && inner !== null && !Array.isArray(inner)
			? Object.fromEntries(
					Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)),
				)
			: inner,
	);
}
