import { MOST_RESULTS } from './paths';

/** JSON Schemas of the interface: what a request may be, and what an answer must be. */

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const flag = { type: 'boolean' };
const rowCount = { type: 'integer', minimum: 0 };
const email = { type: 'string', format: 'email' };
const url = { type: 'string', format: 'uri' };
const presence = { enum: ['found', 'not_found'] };

/** An object that has all of these properties and no other. */
function exactly(
	properties: Record<string, object>,
	optional: Record<string, object> = {},
): object {
	return {
		type: 'object',
		properties: { ...properties, ...optional },
		required: Object.keys(properties),
		additionalProperties: false,
	};
}

const pageAsked = {
	_page: { type: 'integer', minimum: 1 },
	_per_page: { type: 'integer', minimum: 1 },
};
const maxResults = { type: 'integer', minimum: 1, maximum: MOST_RESULTS };
const filters = {
	job_titles: texts,
	job_title_seniority: texts,
	person_location_country: texts,
};

/** Fields beyond the known ones are filters: the contract doesn't list all of those. */
export const previewRequest = { type: 'object', properties: { ...pageAsked, ...filters } };

/** Fields beyond the known ones are filters: the contract doesn't list all of those. */
export const searchRequest = {
	type: 'object',
	properties: {
		...pageAsked,
		...filters,
		max_results: maxResults,
		_include_raw: flag,
		include_emails: flag,
		include_phones: flag,
		email_status: { enum: ['all', 'verified', 'likely'] },
	},
};

/** Lookup has no filters, so the contract's list is whole: any other field is a caller's mistake. */
export const lookupRequest = exactly(
	{ linkedinUrls: { type: 'array', items: text, maxItems: MOST_RESULTS } },
	{
		...pageAsked,
		max_results: maxResults,
		includeWorkEmails: flag,
		includePersonalEmails: flag,
		onlyWithEmails: flag,
		includePhones: flag,
	},
);

const leadFields = {
	first_name: text,
	last_name: text,
	full_name: text,
	email_status: presence,
	phone_status: presence,
	job_title: text,
	company: text,
	city: text,
	state: text,
	country: text,
	work_email: { ...email, nullable: true },
	personal_emails: { type: 'array', items: email },
	mobile_phone: { ...text, nullable: true },
	linkedin_url: url,
	linkedin_status: presence,
	facebook_status: presence,
	twitter_status: presence,
};

const lookupRow = exactly({
	linkedin_url: url,
	full_name: text,
	first_name: text,
	last_name: text,
	job_title: text,
	company: text,
	work_email: { ...email, nullable: true },
	personal_emails: { type: 'array', items: email },
	personal_emails_count: rowCount,
	has_email: flag,
	mobile_phone: { ...text, nullable: true },
	has_phone: flag,
});

const pagePlace = {
	page: { type: 'integer', minimum: 1 },
	per_page: { type: 'integer', minimum: 1 },
	total_count: rowCount,
	has_more: flag,
	next_page: { type: 'integer', minimum: 2, nullable: true },
};

const pageInfo = {
	...pagePlace,
	total_pages: rowCount,
	max_results: { type: 'integer', minimum: 1, maximum: MOST_RESULTS },
};

/** Answer of POST /api/public/search. */
export const searchAnswer = exactly({
	success: { const: true },
	message: text,
	count: rowCount,
	preview_count: rowCount,
	preview_data: { type: 'array', items: exactly(leadFields, { raw: { type: 'object' } }) },
	...pageInfo,
	search_id: { type: 'null' },
	counting: { const: false },
});

/** Answer of POST /api/linkedin/lookup. */
export const lookupAnswer = exactly({
	success: { const: true },
	message: text,
	count: rowCount,
	data: { type: 'array', items: lookupRow },
	...pageInfo,
});

/** Default answer of POST /api/preview; its addresses are masked, so they are plain text here. */
export const previewAnswer = exactly({
	success: { const: true },
	preview_data: {
		type: 'array',
		items: exactly({ ...leadFields, work_email: { ...text, nullable: true } }),
	},
	count: rowCount,
	...pagePlace,
});

/** Any answer that isn't a 200. */
export const errorAnswer = exactly({ success: { const: false }, message: text });
