/** What the service says in the body of an error, whose shape isn't shown (contract, "Errors"). */
import type { Json } from './contract';

/** How deep in a body words may stand, in levels. */
const DEEPEST = 4;

/** How many complaints of a list are read; people see the first 300 characters. */
const MOST = 10;

const names = (listed: string) => listed.split(' ');

// As web frameworks have them, likeliest first, in small letters alone: `error_description` and
// `ErrorDescription` are one. A name of words may stand for a list of complaints, too.
const WORDS = names(
	'message msg errormessage detail details errordescription description defaultmessage reason title',
);
const COMPLAINTS = names(
	'errors error detail details message messages issues violations invalidparams fielderrors formerrors validationerrors fieldviolations modelstate',
);
const FIELDS = names(
	'loc path param parameter field fieldname pointer property propertyname propertypath instancepath attribute',
);

/** @returns its words, each complaint with the field that it is about; undefined without. HTML says nothing */
export function findMessage(body: string): string | undefined {
	const text = body.trim();
	if (text === '' || text.startsWith('<')) return undefined;
	const json = parsed(text);
	// Broken JSON is no message.
	return json === undefined ? undefined : messageIn(json);
}

/** The same for a body that is parsed. */
export function messageIn(json: unknown): string | undefined {
	const words = wordsIn(json).join('; ');
	return words === '' ? undefined : words;
}

/** @param field what it is about; empty where nothing says so */
function wordsIn(value: unknown, depth = 0, field = ''): string[] {
	if (isText(value)) return [field === '' ? value.trim() : `${field}: ${value.trim()}`];
	if (!isNested(value) || depth === DEEPEST) return [];
	const inside = (one: unknown, name: string) => wordsIn(one, depth + 1, name);
	if (Array.isArray(value)) return value.slice(0, MOST).flatMap((one) => inside(one, field));
	const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
		// Some put the JSON of a list into the message.
		return [name, typeof one === 'string' ? (parsed(one.trim()) ?? one) : one];
	});
	const named = new Map(
		entries.map(([name, one]) => [name.toLowerCase().replace(/[^a-z]/g, ''), one]),
	);
	const get = (name: string) => named.get(name);
	// Of the whole body, a path is that of the request.
	const own = depth > 0 ? FIELDS.map(get).map(asField).find(isText) : undefined;
	const about = own ?? field;
	const complaints = COMPLAINTS.map(get)
		.filter(isNested)
		.flatMap((one) => inside(one, about));
	const headline = WORDS.map(get).find(isText);
	if (headline !== undefined) {
		const said = inside(headline, about).join('');
		const isSentence = /[.:!?]$/.test(said);
		return [
			complaints.length > 0 ? `${said}${isSentence ? '' : ':'} ${complaints.join('; ')}` : said,
		];
	}
	if (complaints.length > 0) return complaints;
	// Often no more than the name of the status.
	const error = get('error');
	if (isText(error)) return inside(error, about);
	// Fields by their names, each with what is wrong with it; in the whole body, where all else stands too, as a list.
	const isOfFields = (one: unknown) => depth > 0 || (Array.isArray(one) && one.every(isText));
	return entries
		.slice(0, MOST)
		.flatMap(([name, one]) => (isOfFields(one) ? inside(one, name) : []));
}

function asField(value: unknown): string {
	const parts = (Array.isArray(value) ? value : [value]).filter(
		(part) => typeof part === 'string' || typeof part === 'number',
	);
	return parts.join('.').replace(/^(?:#?\/|body[./])/, '');
}

/** @returns the text itself unless it looks like JSON; undefined for JSON that is broken */
function parsed(text: string): unknown {
	if (!/^[{["]/.test(text)) return text;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** A list, too. */
function isNested(value: unknown): value is Json | unknown[] {
	return typeof value === 'object' && value !== null;
}
