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

	answer(requests, output, warn) {
		for (const { item, request } of requests) {
			const { urls, duplicates, invalid } = request;
			// Each profile found costs 1 credit, and what is not found costs nothing.
			const credits = urls.size;
			output.add(item, { urls: urls.size, duplicates, invalid: invalid.length, credits });
		}
		const named = requests.flatMap(({ request }) => [...request.urls.keys()]);
		const profiles = new Set(named).size;
		if (profiles < named.length) warn(hintSameProfiles(profiles));
		const invalid = requests.flatMap(({ request }) => request.invalid);
		if (invalid.length > 0) warn(hintInvalidUrls(invalid));
	},
};
