/** Reads the parameter 'LinkedIn URLs'. */
import { jsonParse } from 'n8n-workflow';

import { rejectUndefined } from '../../parameters/invalidParameter';
import type { Parameter } from '../../parameters/parameter';
import { readEntries } from './entries';
import type { RejectedEntry } from './rejections';

/** The value of 'LinkedIn URLs' for one input item. */
export interface LinkedInUrls {
	/** The profiles without duplicates: from the normalized URL to its first spelling. */
	urls: Map<string, string>;
	/** Number of entries that repeat the profile of an earlier entry. */
	duplicates: number;
	/**
	 * The entries that name no LinkedIn profile. If the parameter's value has no entries at all, this list contains
	 * the whole value.
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
 * Throws if the whole value is an expression that returned nothing, for example because the name of a field is wrong.
 *
 * @throws InvalidParameterError in that case
 */
export function rejectEmptyExpression({ urls, invalid: [first, ...rest] }: LinkedInUrls): void {
	const isNothing = first && first.entry === undefined && urls.size + rest.length === 0;
	if (isNothing) rejectUndefined(linkedinUrls.property.displayName);
}

/** Returns the values of an array, or of the JSON of an array (AI agents send that). Any other value is returned as the only one. */
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
