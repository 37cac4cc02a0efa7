import { jsonParse } from 'n8n-workflow';

import { rejectUndefined } from '../../parameters/invalidParameter';
import type { Parameter } from '../../parameters/parameter';
import { readEntries } from './entries';
import type { RejectedEntry } from './rejections';

export interface LinkedInUrls {
	/** The keys are normalized URLs. The values are the first entries for them as the user wrote them. */
	urls: Map<string, string>;
	duplicates: number;
	/** If the value has no entries at all, this list contains the whole value, with the reason 'blank'. */
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

/** @throws InvalidParameterError if the whole value is undefined, for example because the name of a field is wrong */
export function rejectEmptyExpression({ urls, invalid: [first, ...rest] }: LinkedInUrls): void {
	const isNothing = first && first.entry === undefined && urls.size + rest.length === 0;
	if (isNothing) rejectUndefined(linkedinUrls.property.displayName);
}

/** AI agents send an array as JSON, so a string with the JSON of an array is parsed. */
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
