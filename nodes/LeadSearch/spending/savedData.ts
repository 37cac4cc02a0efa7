/**
 * The versions of the formats in which the nodes save data in n8n. Each change of a field is a new version. No version
 * reads the data of another one, except the cursors of the version before.
 */
export const SAVED_VERSIONS = { spending: 2, retryData: 2, cursors: 2 } as const;

/** With NaN, a limit would never be reached. */
export function isAmount(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
