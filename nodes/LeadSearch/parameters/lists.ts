import { jsonParse } from 'n8n-workflow';

import { InvalidParameterError, refuseNobodys, refuseUndefined } from './invalidParameter';

/**
 * Reads a list as people type it or expressions give it: an array, a JSON array as text (AI agents send
 * those), one value per line, or comma-separated on a single line.
 *
 * @param label of the parameter, as people see it @returns trimmed values without empty ones
 * @throws InvalidParameterError for what is no text or number, and what an expression made of nothing
 */
export function readList(label: string, value: unknown): string[] {
	const texts: string[] = [];
	for (const one of splitList(value)) {
		if (one === undefined) refuseUndefined(label, 'holds an expression that');
		if (one === null) continue;
		if (!isText(one)) {
			throw new InvalidParameterError(
				label,
				'holds a value that is neither text nor a number',
				'Write the values comma-separated or one per line, or give an array of texts.',
			);
		}
		const text = String(one).trim();
		refuseNobodys(label, text, 'holds');
		if (text !== '') texts.push(text);
	}
	return texts;
}

function isText(value: unknown): value is string | number | bigint {
	return ['string', 'number', 'bigint'].includes(typeof value);
}

function splitList(value: unknown): unknown[] {
	if (typeof value !== 'string') return Array.isArray(value) ? value : [value];
	const text = value.trim();
	const parsed = text.startsWith('[') && jsonParse<unknown>(text, { fallbackValue: text });
	if (Array.isArray(parsed)) return parsed;
	if (!/[\r\n]/.test(text)) return text.split(',');
	return text.split(/[\r\n]+/).map((line) => line.trim().replace(/,$/, ''));
}
