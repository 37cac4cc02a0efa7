/** The parameter LinkedIn URLs. */
import { jsonParse } from 'n8n-workflow';

import { rejectUndefined } from '../../parameters/invalidParameter';
import type { Parameter } from '../../parameters/parameter';
import { readEntries } from './entries';
import type { Refusal } from './refusals';

/** What an input item lists as LinkedIn URLs. */
export interface LinkedInUrls {
	/** Each profile once: normalised URL to the spelling that came first. */
	urls: Map<string, string>;
	/** How many entries are about a profile that an entry before them is about. */
	duplicates: number;
	/** The entries that are no LinkedIn profile, and the value itself where it holds no entry at all. */
	invalid: Refusal[];
}

export const linkedinUrls: Parameter<LinkedInUrls> = {
	property: {
		displayName: 'LinkedIn URLs',
		type: 'string',
		typeOptions: { rows: 3 },
		// Not `required`: n8n's own message names neither the item nor what to write.
		default: '',
		placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
		description:
			'Profiles: separated by commas, spaces or line breaks, or an array from an expression. Look Up asks for those of all input items together.',
	},
	acceptsUndefined: true,
	read(value) {
		const read: LinkedInUrls = { urls: new Map(), duplicates: 0, invalid: [] };
		for (const entry of valuesOf(value)) {
			if (typeof entry === 'string') readText(entry, read);
			else if (entry !== null) read.invalid.push({ entry, reason: 'none' });
		}
		if (read.urls.size + read.invalid.length === 0)
			read.invalid.push({ entry: value, reason: 'blank' });
		return read;
	},
};

/** @throws InvalidParameterError where an expression gives nothing, as by a wrong name of a field */
export function refuseNothing({ urls, invalid: [first, ...rest] }: LinkedInUrls): void {
	const isNothing = first && first.entry === undefined && urls.size + rest.length === 0;
	if (isNothing) rejectUndefined(linkedinUrls.property.displayName);
}

/** An array, also as the JSON text that AI agents send, gives its values, any other value itself. */
function valuesOf(value: unknown): unknown[] {
	const isJson = typeof value === 'string' && value.trimStart().startsWith('[');
	const parsed = isJson ? jsonParse<unknown>(value, { fallbackValue: value }) : value;
	// Nobody nests them deeper, and without an end that takes all of the stack.
	return [parsed].flat(10);
}

function readText(text: string, read: LinkedInUrls): void {
	for (const { text: entry, url, reason } of readEntries(text)) {
		if (url === undefined) read.invalid.push({ entry, reason });
		else if (read.urls.has(url)) read.duplicates += 1;
		else read.urls.set(url, entry);
	}
}
