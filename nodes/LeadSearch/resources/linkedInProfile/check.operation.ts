import { hintInvalidUrls, hintSameProfiles } from '../../messages/hints';
import { readAll } from '../../parameters/parameter';
import type { LocalOperation } from '../operation';
import { linkedInUrls, type LinkedInUrls } from './linkedInUrls';

const parameters = { linkedinUrls: linkedInUrls };

/** What a lookup of these URLs would cost at most, for free. Sends nothing. */
export const check: LocalOperation<LinkedInUrls> = {
	option: {
		name: 'Check URLs',
		value: 'check',
		action: 'Check LinkedIn URLs',
		description: 'Count the profiles that Look Up would ask for, for free; nothing is sent',
	},
	toolDescription:
		'Counts the LinkedIn profiles in a list of URLs, for free. "urls" is how many different profiles a lookup would ask for, "credits" the most that it would cost, "duplicates" how many entries repeat a profile, "invalid" how many are no LinkedIn profile.',

	parameters,
	read: (values) => readAll(parameters, values).linkedinUrls,

	answer(requests) {
		const named = requests.flatMap(({ request }) => [...request.urls.keys()]);
		const profiles = new Set(named).size;
		const invalid = requests.flatMap(({ request }) => request.invalid);
		return {
			entries: requests.map(({ item, request }) => ({
				items: [item],
				json: [
					{
						urls: request.urls.size,
						duplicates: request.duplicates,
						invalid: request.invalid.length,
						// Each profile found costs 1 credit, and what is not found costs nothing.
						credits: request.urls.size,
					},
				],
			})),
			rows: [],
			warnings: [
				...(profiles < named.length ? [hintSameProfiles(profiles)] : []),
				...(invalid.length > 0 ? [hintInvalidUrls(invalid)] : []),
			],
		};
	},
};
