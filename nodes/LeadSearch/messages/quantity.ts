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
