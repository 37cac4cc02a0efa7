/** The parameter LinkedIn URLs: what Look Up buys, and what is counted before. */
import { readWords } from '../../parameters/lists';
import type { Parameter } from '../../parameters/parameter';
import { normaliseLinkedInUrl } from './linkedInUrl';

/** What an input item lists as LinkedIn URLs. */
export interface LinkedInUrls {
	/** Each profile once: normalised URL to the spelling that came first. */
	urls: Map<string, string>;
	/** How many entries are about a profile that an entry before them is about. */
	duplicates: number;
	/** The entries that are no LinkedIn profile; whether to refuse them is for the operation to say. */
	invalid: unknown[];
}

export const linkedInUrls: Parameter<LinkedInUrls> = {
	property: {
		displayName: 'LinkedIn URLs',
		type: 'string',
		typeOptions: { rows: 3 },
		// Not `required`: n8n's own message names neither the item nor what to write.
		default: '',
		placeholder: 'e.g. https://www.linkedin.com/in/profile-name',
		description:
			'Profiles: separated by commas, spaces or line breaks, or an array from an expression',
	},
	read(values, name) {
		const urls = new Map<string, string>();
		const invalid: unknown[] = [];
		let duplicates = 0;
		for (const entry of entriesOf(values.get(name))) {
			const url = typeof entry === 'string' ? normaliseLinkedInUrl(entry) : undefined;
			if (url === undefined) invalid.push(entry);
			else if (urls.has(url)) duplicates += 1;
			else urls.set(url, entry as string);
		}
		return { urls, duplicates, invalid };
	},
};

/** Words, and what is no text as it is. */
function entriesOf(value: unknown): unknown[] {
	return readWords(value) ?? [value].flat().flatMap((entry) => readWords([entry]) ?? [entry]);
}
