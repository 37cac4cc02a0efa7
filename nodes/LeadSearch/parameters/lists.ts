/** Lists as people type them or expressions give them. */

/**
 * Reads a list: an array, a JSON array as text (AI agents send those), one value per line, or
 * comma-separated on a single line. A value that holds a comma is given one per line or in an array.
 *
 * @returns trimmed values without empty ones; undefined when one is neither text nor a number
 */
export function readList(value: unknown): string[] | undefined {
	const texts = splitList(value).map(toText);
	if (texts.includes(undefined)) return undefined;
	return texts.filter((text) => text !== undefined && text !== '') as string[];
}

/**
 * Reads a list of values that hold neither a comma nor white space, such as URLs: both separate them
 * wherever they stand.
 */
export function readWords(value: unknown): string[] | undefined {
	return readList(value)?.flatMap((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
}

function splitList(value: unknown): unknown[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return [value];
	const fromJson = parseArray(value);
	if (fromJson) return fromJson;
	if (/[\r\n]/.test(value.trim())) return value.split(/\r\n|\r|\n/).map(withoutTrailingComma);
	return value.split(',');
}

function parseArray(text: string): unknown[] | undefined {
	if (!text.trimStart().startsWith('[')) return undefined;
	try {
		const parsed: unknown = JSON.parse(text);
		return Array.isArray(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

function withoutTrailingComma(line: string): string {
	return line.trim().replace(/,$/, '');
}

function toText(value: unknown): string | undefined {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number' || typeof value === 'bigint') return String(value);
	return undefined;
}
