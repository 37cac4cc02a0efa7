/** The parameter LinkedIn URLs: what Look Up buys, and what is counted before. */
import type { INodeProperties } from 'n8n-workflow';

import { readWords } from '../../parameters/lists';
import type { ParameterValues } from '../../parameters/values';
import { normaliseLinkedInUrl } from './linkedInUrl';

/** LinkedIn URLs as n8n shows them. */
export const linkedInUrlsProperty: INodeProperties = {
	displayName: 'LinkedIn URLs',
	name: 'linkedinUrls',
	type: 'string',
	typeOptions: { rows: 3 },
	// Not `required`: n8n's own message names neither the item nor what to write.
	default: '',
	placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
	description:
		'Profiles: separated by commas, spaces or line breaks, or an array from an expression',
};

/** What an input item lists as LinkedIn URLs. */
export interface LinkedInUrls {
	/** Each profile once: normalised URL to the spelling that came first. */
	urls: Map<string, string>;
	/** How many entries are about a profile that an entry before them is about. */
	duplicates: number;
	/** The entries that are no LinkedIn profile. */
	invalid: unknown[];
}

/** Reads LinkedIn URLs of an input item; whether to refuse what is invalid is for the caller to say. */
export function readLinkedInUrls(values: ParameterValues): LinkedInUrls {
	const urls = new Map<string, string>();
	const invalid: unknown[] = [];
	let duplicates = 0;
	for (const entry of entriesOf(values.get(linkedInUrlsProperty.name))) {
		const url = typeof entry === 'string' ? normaliseLinkedInUrl(entry) : undefined;
		if (url === undefined) invalid.push(entry);
		else if (urls.has(url)) duplicates += 1;
		else urls.set(url, entry as string);
	}
	return { urls, duplicates, invalid };
}

/** Words, and what is no text as it is. */
function entriesOf(value: unknown): unknown[] {
	return readWords(value) ?? [value].flat().flatMap((entry) => readWords([entry]) ?? [entry]);
}
