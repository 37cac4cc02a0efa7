/** A CPU profile, as V8 hands it out; the part that is read. */
export interface Profile {
	readonly nodes: ReadonlyArray<{
		readonly id: number;
		readonly callFrame: {
			readonly functionName: string;
			readonly url: string;
			readonly lineNumber: number;
		};
	}>;
	/** The node that was running, at each sample. */
	readonly samples: readonly number[];
	/** Microseconds before each sample. */
	readonly timeDeltas: readonly number[];
}

/** A function, and how long it ran itself, without those it called. */
export interface Hot {
	readonly milliseconds: number;
	readonly where: string;
}

/** The functions that ran longest, the longest first; waiting isn't among them. */
export function hottest({ nodes, samples, timeDeltas }: Profile, most: number): Hot[] {
	const names = new Map(
		nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
			id,
			`${functionName || '(anonymous)'}  ${shortened(url)}${url === '' ? '' : `:${lineNumber + 1}`}`,
		]),
	);
	const times = new Map<string, number>();
	samples.forEach((id, index) => {
		const name = names.get(id) ?? '';
		if (name.startsWith('(idle)')) return;
		times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
	});
	return [...times]
		.map(([where, milliseconds]) => ({ where: where.trim(), milliseconds }))
		.sort((one, other) => other.milliseconds - one.milliseconds)
		.slice(0, most);
}

/** From the package on. */
function shortened(url: string): string {
	return url.split('node_modules/').at(-1) ?? url;
}
