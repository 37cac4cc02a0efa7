import type { Population } from './population';
import { leadOfProfileId, profileId } from './profileId';

const PROFILES = 'https://www.linkedin.com/in/';

/** The canonical profile URL of a lead: its name and an id; some are percent-encoded. */
export function profileUrl(people: Population, lead: number): string {
	const { first, last } = people.name(lead);
	const form = people.keepsOwnLetters(lead) ? 'encoded' : 'ascii';
	return `${PROFILES}${first[form]}-${last[form]}-${profileId(lead)}`;
}

/**
 * The number of the lead whom a profile URL belongs to, whatever the URL's scheme, subdomain, case,
 * query and what follows the profile's name. It may be beyond the number of leads there are;
 * undefined when the URL is no lead's.
 */
export function leadOfProfileUrl(people: Population, url: string): number | undefined {
	const slug = /(?:^|[/.])linkedin\.com\/in\/([^/?#\s]+)/i.exec(url)?.[1];
	if (slug === undefined) return undefined;
	const plain = decoded(slug).normalize('NFC').toLowerCase();
	const id = /-([0-9a-z]{5})$/.exec(plain)?.[1];
	if (id === undefined) return undefined;
	const lead = leadOfProfileId(id);
	const { first, last } = people.name(lead);
	const form = people.keepsOwnLetters(lead) ? 'own' : 'ascii';
	return plain === `${first[form]}-${last[form]}-${id}` ? lead : undefined;
}

function decoded(slug: string): string {
	try {
		return decodeURIComponent(slug);
	} catch {
		return slug;
	}
}
