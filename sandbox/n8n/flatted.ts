/**
 * Reads the notation in which n8n saves executions ("flatted"): an array of values, in which every
 * string inside an object or array is the index of the value that belongs there. It lets the same
 * value stand in several places.
 */
export function parseFlatted(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	const resolved = new Set<object>();

	function valueAt(index: unknown): unknown {
		const value = values[Number(index)];
		return typeof value === 'object' && value !== null ? resolve(value) : value;
	}

	function resolve(container: object): object {
		if (resolved.has(container)) return container;
		resolved.add(container);
		for (const [key, value] of Object.entries(container)) {
			if (typeof value === 'string') Reflect.set(container, key, valueAt(value));
		}
		return container;
	}

	return valueAt(0);
}
