import { resolveTimeZone } from '../parameters/timeZone';

/**
 * Returns '10:34', or '2026-11-30 10:34' if it isn't today. If the time zone in `setting` is invalid, the time is in
 * UTC.
 */
export function formatTime(time: number, setting: string): string {
	const zone = resolveTimeZone(setting);
	const options = { timeZone: zone ?? 'UTC', dateStyle: 'short', timeStyle: 'short' } as const;
	// Swedish dates and times have the form of ISO 8601.
	const format = new Intl.DateTimeFormat('sv-SE', options);
	const [date = '', clock = ''] = format.format(time).split(' ');
	const [today] = format.format(Date.now()).split(' ');
	return `${date === today ? '' : `${date} `}${clock}${zone === undefined ? ' UTC' : ''}`;
}
