import { getGlobalState } from 'n8n-workflow';

/**
 * Returns the time zone of a workflow.
 *
 * @param setting the time zone in the settings of the workflow. DEFAULT means the time zone of n8n
 * @returns undefined if the setting is invalid
 */
export function resolveTimeZone(setting: string): string | undefined {
	const timeZone = setting === 'DEFAULT' ? getGlobalState().defaultTimezone : setting;
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}
