import { readParameters } from '../../parameters/parameter';
import type { LocalOperation } from '../operation';
import { describeDuplicateProfiles, describeInvalidUrls } from './hints';
import { linkedinUrls, rejectEmptyExpression, type LinkedInUrls } from './linkedInUrls';
import { adviceFor, countKinds } from './rejections';

const parameters = { linkedinUrls };

/** An empty value counts as no entry. */
const invalidEntries = ({ invalid }: LinkedInUrls) =>
	invalid.filter(({ reason }) => reason !== 'blank');

export const check: LocalOperation<LinkedInUrls> = {
	option: {
		name: 'Check URLs',
		value: 'check',
		action: 'Check LinkedIn URLs',
		description: 'Count the profiles that Look Up would request, for free. Nothing is sent.',
	},
	toolDescription:
		'Counts the LinkedIn profiles in a list of URLs, for free. "urls" is the number of different profiles that a lookup would request. "credits" is the cost if all of them are found (1 credit more for each profile that comes back under another URL). "duplicates" is the number of entries that repeat a profile. "invalid" is the number of entries that are no LinkedIn profile.',
	parameters,
	read(values) {
		const { linkedinUrls: read } = readParameters(parameters, values);
		rejectEmptyExpression(read);
		return read;
	},
	compute(requests) {
		const requested = requests.flatMap(({ request }) => [...request.urls.keys()]);
		const profiles = new Set(requested).size;
		const rejected = requests.flatMap(({ request }) => invalidEntries(request));
		return {
			// Each profile that is found costs 1 credit. A URL without a profile is free.
			entries: requests.map(({ item, request }) => {
				const { urls, duplicates } = request;
				const invalid = invalidEntries(request).length;
				return {
					item,
					json: [{ urls: urls.size, duplicates, invalid, credits: urls.size }],
				};
			}),
			warnings: [
				profiles < requested.length && describeDuplicateProfiles(profiles),
				rejected.length > 0 &&
					describeInvalidUrls(rejected.length, countKinds(rejected), adviceFor(rejected)),
			],
		};
	},
};
