/**
 * Names input items in messages. n8n counts items from 0, and a row of a table has another number. So a message also
 * quotes fields of the item.
 */
import type { Json } from '../api/contract';
import { formatValue } from '../parameters/invalidParameter';

const MAX_NAMED = 3;

const MAX_FIELDS = 2;

/**
 * A string is quoted only if it has at most five short words. A field of the credential can be an expression that
 * reads its key from the item, and a key must not be quoted.
 */
const PLAIN_TEXT = /^(?:[\p{L}\p{M}.,'’&()-]{1,20}(?: |$)){1,5}$/u;
const PLAIN_NAME = /^[\p{L}\p{M}_ ]{1,30}$/u;

/** Returns ` in input item 8 (row_number 10, Name 'Anna Berg')`; an empty string if there is only one input item. */
export function locateItems(items: readonly number[], inputs: readonly Json[]): string {
	if (inputs.length === 1) return '';
	const [first = 0] = items;
	if (items.length === 1) {
		const content = contentOf(inputs[first]);
		return ` in input item ${first}${content && ` (${content})`}`;
	}
	const named = items.slice(0, MAX_NAMED).map((item) => {
		const content = contentOf(inputs[item]);
		return content ? `${item}: ${content}` : String(item);
	});
	const separator = named.some((name) => name.includes(':')) ? '; ' : ', ';
	const more = items.length > MAX_NAMED ? ' …' : '';
	return ` in ${items.length.toLocaleString('en')} input items (${named.join(separator)}${more})`;
}

function contentOf(input: Json = {}): string {
	const fields: string[] = [];
	for (const [name, value] of Object.entries(input)) {
		const isQuoted =
			typeof value === 'number' || (typeof value === 'string' && PLAIN_TEXT.test(value.trim()));
		if (isQuoted && PLAIN_NAME.test(name)) fields.push(`${name} ${formatValue(value)}`);
		if (fields.length === MAX_FIELDS) break;
	}
	return fields.join(', ');
}
