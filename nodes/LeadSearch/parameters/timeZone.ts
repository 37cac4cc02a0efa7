import { getGlobalState } from 'n8n-workflow';

/** Returns the time zone of a workflow; undefined if the setting is invalid. DEFAULT means the time zone of n8n. */
export function resolveTimeZone(setting: string): string | undefined {
	const timeZone = setting === 'DEFAULT' ? getGlobalState().defaultTimezone : setting;
	try {
		return new Intl.DateTimeFormat('en-CA', { timeZone }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}
