export const CREDIT = { one: 'credit', many: 'credits' };
export const MINUTE = { one: 'minute', many: 'minutes' };
export const SECOND = { one: 'second', many: 'seconds' };
export const REQUEST = { one: 'request', many: 'requests' };
export const RESPONSE = { one: 'answer was', many: 'answers were' };
export const URL_NOUN = { one: 'URL', many: 'URLs' };

/** '1 lead', '60 leads', '2,350 leads'. */
export function quantity(number: number, noun: { one: string; many: string }): string {
	return `${number.toLocaleString('en')} ${number === 1 ? noun.one : noun.many}`;
}

const MAX_RANGES = 200;

/** 'input item 3', 'input items 0 to 4 and 7'. */
export function listItems(items: number[]): string {
	const ranges: Array<{ from: number; to: number }> = [];
	for (const item of [...items].sort((one, other) => one - other)) {
		const last = ranges.at(-1);
		if (last && item <= last.to + 1) last.to = item;
		else ranges.push({ from: item, to: item });
	}
	const parts = ranges
		.slice(0, MAX_RANGES)
		.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
	const more = ranges.slice(MAX_RANGES).reduce((sum, { from, to }) => sum + to - from + 1, 0);
	if (more > 0) parts.push(`${more} more`);
	const noun = items.length === 1 ? 'input item' : 'input items';
	const start = parts.slice(0, -1).join(', ');
	return `${noun} ${start}${start === '' ? '' : ' and '}${parts.at(-1) ?? ''}`;
}
