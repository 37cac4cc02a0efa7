import { MAX_LINKEDIN_URLS } from '../../api/contract';
import {
	maxCredits,
	limit,
	maxRetries,
	optionsCollection,
	pageSize,
	parallelPages,
	readFetchSettings,
	readLimit,
	returnAll,
	reusePaidResults,
	timeout,
} from '../../parameters/fetching';
import { InvalidParameterError, show } from '../../parameters/invalidParameter';
import { choice, toggle } from '../../parameters/parameter';
import { collectionValues, type ParameterValues } from '../../parameters/values';
import type { Operation } from '../operation';
import { ALL_PROFILE_FIELDS, PROFILE_FIELDS, readRowForm, rowFormProperties } from '../simplify';
import { linkedInUrlsProperty, readLinkedInUrls } from './linkedInUrls';
import { planLookUps, type LookUpRequest } from './profiles';

const size = pageSize(
	1_000,
	'The most URLs to look up in one request. Larger pages take fewer requests.',
);

const includeWorkEmails = toggle({
	displayName: 'Include Work Emails',
	name: 'includeWorkEmails',
	default: true,
	description: 'Whether to return work email addresses',
});

const includePersonalEmails = toggle({
	displayName: 'Include Personal Emails',
	name: 'includePersonalEmails',
	default: true,
	description: 'Whether to return personal email addresses',
});

const includePhones = toggle({
	displayName: 'Include Phones',
	name: 'includePhones',
	default: false,
	description: 'Whether to return mobile phones',
});

const includeInputFields = toggle({
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	default: false,
	description:
		"Whether each item that comes out carries the fields of the input item that asked for it, such as a sheet's row number. A field of the profile wins over an input field of the same name.",
	displayOptions: { hide: { '@tool': [true] } },
});

const onlyWithEmails = toggle({
	displayName: 'Only With Emails',
	name: 'onlyWithEmails',
	default: true,
	description:
		'Whether to return, and pay for, only profiles for which an email address is found',
});

const unmatched = choice({
	displayName: 'Unmatched URLs',
	name: 'unmatched',
	options: [
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description: 'Return nothing for URLs that the service has nothing for',
		},
		{
			name: 'Return as Not Found',
			value: 'returnAsNotFound',
			description: 'Return an item with "found": false for each of them',
		},
		{
			name: 'Send to Second Output',
			value: 'secondOutput',
			description: 'Give the node an output "Not Found", with an item for each of them',
			// A tool has one output.
			displayOptions: { hide: { '@tool': [true] } },
		},
	],
	default: 'leaveOut',
	description: 'What to do with URLs that the service has nothing for',
});

const alreadyLookedUp = choice({
	displayName: 'Already Looked Up',
	name: 'alreadyLookedUp',
	options: [
		{
			name: 'Look Up Again',
			value: 'lookUpAgain',
			description: 'Pay for each profile, whether or not it was bought before',
		},
		{
			name: 'Leave Out',
			value: 'leaveOut',
			description:
				'Return nothing for profiles that this node bought in an earlier execution',
		},
	],
	default: 'lookUpAgain',
	description:
		'What to do with profiles that this node bought in an earlier execution. They are remembered for good from when Leave Out is set; profiles that were not found are not among them.',
	// An agent would take what is left out for not found.
	displayOptions: { hide: { '@tool': [true] } },
});

/** A lookup: a credit for each profile found. */
export const lookUp: Operation<LookUpRequest> = {
	option: {
		name: 'Look Up (Paid)',
		value: 'buyProfiles',
		action: 'Buy profiles by LinkedIn URL (1 credit each)',
		description: 'Get emails and phones for LinkedIn profile URLs, for 1 credit each',
	},
	toolDescription:
		'Returns email addresses and phone numbers for LinkedIn profile URLs. Each profile found costs 1 credit, so a call costs at most as many credits as it has URLs, and all calls together never more than the Max Credits per Execution of this tool, where one is set. URLs without a result cost nothing. n8n shows you about 500 profiles of an answer: ask for no more than that at once.',

	endpoint: 'lookUp',

	properties: [
		{
			...linkedInUrlsProperty,
			description:
				'Profiles to look up: separated by commas, spaces or line breaks, or an array from an expression. The URLs of all input items go into one request where possible.',
		},
		{ ...returnAll.property, default: true },
		{
			displayName:
				'Each profile found costs 1 credit. Check URLs counts them for free; Max Credits per Execution (under Options) limits what is spent.',
			name: 'returnAllNotice',
			type: 'notice',
			displayOptions: { show: { returnAll: [true] } },
			default: '',
		},
		limit.property,
		...rowFormProperties(ALL_PROFILE_FIELDS),
		optionsCollection(
			[
				alreadyLookedUp,
				maxCredits,
				includeInputFields,
				includePersonalEmails,
				includePhones,
				includeWorkEmails,
				maxRetries,
				onlyWithEmails,
				size,
				parallelPages,
				reusePaidResults,
				timeout,
				unmatched,
			].map(({ property }) => property),
		),
	],

	read(values: ParameterValues): LookUpRequest {
		const options = collectionValues(values, 'options');
		const settings = readFetchSettings(options, size);
		return {
			urls: readUrls(values),
			body: {
				includeWorkEmails: includeWorkEmails.read(options),
				includePersonalEmails: includePersonalEmails.read(options),
				includePhones: includePhones.read(options),
				onlyWithEmails: onlyWithEmails.read(options),
			},
			limit: readLimit(values),
			form: readRowForm(values, PROFILE_FIELDS),
			unmatched: unmatched.read(options),
			includeInputFields: includeInputFields.read(options),
			alreadyLookedUp: alreadyLookedUp.read(options),
			settings: { ...settings, pageSize: Math.min(settings.pageSize, MAX_LINKEDIN_URLS) },
		};
	},

	leavesOutBought: ({ alreadyLookedUp: mode, urls }) => (mode === 'leaveOut' ? urls.keys() : []),

	plan: planLookUps,
};

const ADVICE =
	"Write addresses of LinkedIn profiles, separated by commas, spaces or line breaks, e.g. 'https://www.linkedin.com/in/profile-name'.";

function readUrls(values: ParameterValues): Map<string, string> {
	const { displayName: label } = linkedInUrlsProperty;
	const { urls, invalid } = readLinkedInUrls(values);
	if (invalid.length > 0) {
		const wrong = invalid.find((entry) => typeof entry === 'string');
		const named = wrong === undefined ? show(invalid[0]) : `'${wrong}'`;
		const problem =
			invalid.length === 1
				? `holds ${named}, which is no LinkedIn profile`
				: `holds ${named} and ${invalid.length - 1} more, which are no LinkedIn profiles`;
		throw new InvalidParameterError(label, problem, ADVICE);
	}
	if (urls.size === 0) throw new InvalidParameterError(label, 'is empty', ADVICE);
	return urls;
}
