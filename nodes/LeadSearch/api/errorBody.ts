/** What the service says in the body of an error, whose shape isn't shown (contract, "Errors"). */
import { isObject } from './contract';

/**
 * @param body may be cut
 * @returns its words; the body as it is where they stand deeper, or where it is no JSON; undefined for HTML,
 * or where nothing is said
 */
export function findMessage(body: string): string | undefined {
	const text = body.trim();
	if (text === '' || text.startsWith('<')) return undefined;
	try {
		return messageIn(JSON.parse(text));
	} catch {
		return text;
	}
}

/** The same for a body that is parsed. */
export function messageIn(json: unknown): string | undefined {
	const { message, detail, error } = isObject(json) ? json : { message: json };
	const { message: inner } = isObject(error) ? error : {};
	const words = [message, detail, error, inner].find(
		(text): text is string => typeof text === 'string' && text.trim() !== '',
	);
	if (words !== undefined) return words.trim();
	const text = asText(json);
	return text.length > 2 ? text : undefined;
}

/** @returns nothing for what nests too deep for JSON.stringify, some thousand levels */
function asText(json: unknown): string {
	try {
		return JSON.stringify(json);
	} catch {
		return '';
	}
}
