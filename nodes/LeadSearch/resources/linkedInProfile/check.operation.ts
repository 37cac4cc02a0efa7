import { describeInvalidUrls, describeDuplicateProfiles } from '../../messages/hints';
import { readParameters } from '../../parameters/parameter';
import type { LocalOperation } from '../operation';
import { linkedinUrls, refuseNothing, type LinkedInUrls } from './linkedInUrls';
import { adviceFor, countKinds } from './refusals';

const parameters = { linkedinUrls };

/** Of an input item with an empty value there is nothing to count. */
const invalidOf = ({ invalid }: LinkedInUrls) => invalid.filter(({ reason }) => reason !== 'blank');

/** What a lookup of these URLs would cost if all are found, for free. Sends nothing. */
export const check: LocalOperation<LinkedInUrls> = {
	option: {
		name: 'Check URLs',
		value: 'check',
		action: 'Check LinkedIn URLs',
		description: 'Count the profiles that Look Up would ask for, for free; nothing is sent',
	},
	toolDescription:
		'Counts the LinkedIn profiles in a list of URLs, for free. "urls" is how many different profiles a lookup would ask for, "credits" what it costs if all are found (one more for each that comes back under another URL), "duplicates" how many entries repeat a profile, "invalid" how many are no LinkedIn profile.',
	parameters,
	read(values) {
		const { linkedinUrls: read } = readParameters(parameters, values);
		refuseNothing(read);
		return read;
	},
	answer(requests) {
		const named = requests.flatMap(({ request }) => [...request.urls.keys()]);
		const profiles = new Set(named).size;
		const refused = requests.flatMap(({ request }) => invalidOf(request));
		return {
			// Each profile found costs 1 credit, and what is not found costs nothing.
			entries: requests.map(({ item, request }) => {
				const { urls, duplicates } = request;
				const invalid = invalidOf(request).length;
				return {
					item,
					json: [{ urls: urls.size, duplicates, invalid, credits: urls.size }],
				};
			}),
			warnings: [
				profiles < named.length && describeDuplicateProfiles(profiles),
				refused.length > 0 &&
					describeInvalidUrls(refused.length, countKinds(refused), adviceFor(refused)),
			],
		};
	},
};
