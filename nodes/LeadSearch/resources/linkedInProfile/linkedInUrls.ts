/** Reads the parameter 'LinkedIn URLs'. */
import { jsonParse } from 'n8n-workflow';

import { rejectUndefined } from '../../parameters/invalidParameter';
import type { Parameter } from '../../parameters/parameter';
import { readEntries } from './entries';
import type { RejectedEntry } from './rejections';

/** The entries in the value of 'LinkedIn URLs' for one input item: URLs of profiles, and invalid entries. */
export interface LinkedInUrls {
	/**
	 * The profiles without duplicates. The key is the normalized URL, such as `https://www.linkedin.com/in/anna`. The
	 * value is the first entry for this profile as the user wrote it, such as `linkedin.com/in/Anna`.
	 */
	urls: Map<string, string>;
	/** Number of entries that repeat the profile of an earlier entry. */
	duplicates: number;
	/**
	 * The entries that name no LinkedIn profile. If the value of the parameter has no entries at all, for example
	 * because it is empty, this list contains the whole value, with the reason 'blank'.
	 */
	invalid: RejectedEntry[];
}

export const linkedinUrls: Parameter<LinkedInUrls> = {
	property: {
		displayName: 'LinkedIn URLs',
		type: 'string',
		typeOptions: { rows: 3 },
		// Not `required`, because n8n's message would name neither the item nor the expected value.
		default: '',
		placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
		description:
			'URLs of profiles, separated by commas, spaces or line breaks, or an array from an expression. Look Up requests the URLs of all input items together.',
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

/**
 * Rejects an expression that returned undefined for the whole value, for example because the name of a field is wrong.
 *
 * @throws InvalidParameterError if the whole value is undefined
 */
export function rejectEmptyExpression({ urls, invalid: [first, ...rest] }: LinkedInUrls): void {
	const isNothing = first && first.entry === undefined && urls.size + rest.length === 0;
	if (isNothing) rejectUndefined(linkedinUrls.property.displayName);
}

/**
 * Returns the elements of an array. AI agents send an array as JSON, so a string with the JSON of an array is parsed.
 * Any other value is returned as the only element.
 */
function valuesOf(value: unknown): unknown[] {
	const isJson = typeof value === 'string' && value.trimStart().startsWith('[');
	const parsed = isJson ? jsonParse<unknown>(value, { fallbackValue: value }) : value;
	// The depth is limited, because flattening a deeply nested array would overflow the stack.
	return [parsed].flat(10);
}

function readText(text: string, read: LinkedInUrls): void {
	for (const { text: entry, url, reason } of readEntries(text)) {
		if (url === undefined) read.invalid.push({ entry, reason });
		else if (read.urls.has(url)) read.duplicates += 1;
		else read.urls.set(url, entry);
	}
}
