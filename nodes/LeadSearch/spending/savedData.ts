/** The versions of everything that the nodes save in n8n: shared data of an execution, Retry data, and cursors. */

/**
 * Each change of a saved field is a new version, and no version reads the data of another one, except the cursors of
 * the version before.
 */
export const SAVED_VERSIONS = { spending: 2, retryData: 2, cursors: 2 } as const;

/** Whether a saved value is a number of credits, rows or milliseconds. With NaN, a limit would never be reached. */
export function isAmount(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Whether a saved value is an object with named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
