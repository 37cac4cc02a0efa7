import { jsonParse } from 'n8n-workflow';

import { InvalidParameterError, refuseNobodys, refuseUndefined } from './invalidParameter';

/**
 * Reads a list of texts for a parameter, as {@link readList} does; null and empty texts count as nothing.
 *
 * @throws InvalidParameterError for what is no text, and what an expression made of nothing
 */
export function readTexts(label: string, value: unknown): string[] {
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

/**
 * Reads a list as people type it or expressions give it: an array, a JSON array as text (AI agents send
 * those), one value per line, or comma-separated on a single line. @returns trimmed values without empty
 * ones; undefined when one is neither text nor a number
 */
export function readList(value: unknown): string[] | undefined {
	const values = splitList(value).map((one) => one ?? '');
	if (!values.every(isText)) return undefined;
	return values.map((one) => String(one).trim()).filter((text) => text !== '');
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
