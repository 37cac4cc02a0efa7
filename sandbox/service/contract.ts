/** The service's interface: paths, limits, schemas of requests, and rows. */
import { Type, type Static } from '@sinclair/typebox';
import Ajv from 'ajv';

export const PREVIEW_PATH = '/api/preview';
export const SEARCH_PATH = '/api/public/search';
export const LOOKUP_PATH = '/api/linkedin/lookup';

/** Limit of `max_results` in rows, and of the number of `linkedinUrls` (contract, "Limits"). */
const MAX_RESULTS = 100_000;

/** Default of `max_results` in rows; for lookup, only if the request has no URLs (contract, "Limits"). */
export const DEFAULT_MAX_RESULTS = 500;

const text = Type.String();
const texts = Type.Array(text);
const flag = Type.Boolean();
const positive = Type.Integer({ minimum: 1 });
const maxResults = Type.Integer({ minimum: 1, maximum: MAX_RESULTS });

function oneOf<T extends string | number>(...values: readonly T[]) {
	return Type.Unsafe<T>({ enum: values });
}

const pageRequest = { _page: Type.Optional(positive), _per_page: Type.Optional(positive) };
const previewFilters = {
	job_titles: Type.Optional(texts),
	job_title_seniority: Type.Optional(texts),
	person_location_country: Type.Optional(texts),
};
const filters = Type.Object({
	...previewFilters,
	email_status: Type.Optional(oneOf('all', 'verified', 'likely')),
});
/** The filters that the contract shows ("Search filters"), and `email_status`. */
export type Filters = Static<typeof filters>;

// Other fields are allowed, because the contract doesn't list all filters.
export const previewRequest = Type.Object({ ...pageRequest, ...previewFilters });
export const searchRequest = Type.Object({
	...pageRequest,
	...filters.properties,
	max_results: Type.Optional(maxResults),
	_include_raw: Type.Optional(flag),
	include_emails: Type.Optional(flag),
	include_phones: Type.Optional(flag),
});
export type SearchRequest = Static<typeof searchRequest>;

/** A lookup has no filters, so other fields are rejected. */
export const lookupRequest = Type.Object(
	{
		...pageRequest,
		linkedinUrls: Type.Array(text, { maxItems: MAX_RESULTS }),
		max_results: Type.Optional(maxResults),
		includeWorkEmails: Type.Optional(flag),
		includePersonalEmails: Type.Optional(flag),
		onlyWithEmails: Type.Optional(flag),
		includePhones: Type.Optional(flag),
	},
	{ additionalProperties: false },
);
export type LookupRequest = Static<typeof lookupRequest>;

interface Person {
	first_name: string;
	last_name: string;
	full_name: string;
	job_title: string;
	company: string;
	work_email: string | null;
	personal_emails: string[];
	mobile_phone: string | null;
	linkedin_url: string;
}
type Presence = 'found' | 'not_found';

/** A row of a search (contract, "Lead record"). */
export interface LeadRecord extends Person {
	email_status: Presence;
	phone_status: Presence;
	city: string;
	state: string;
	country: string;
	linkedin_status: Presence;
	facebook_status: Presence;
	twitter_status: Presence;
	raw?: Record<string, unknown>;
}

/** A row of a lookup (contract, "LinkedIn lookup row"). */
export interface LookupRow extends Person {
	personal_emails_count: number;
	has_email: boolean;
	has_phone: boolean;
}

const ajv = new Ajv();

/** Creates a function that validates a value. It returns a message, or undefined if the value is valid. */
export function createValidator(
	schema: object,
	subject: string,
): (value: unknown) => string | undefined {
	const validate = ajv.compile(schema);
	return (value) =>
		validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: subject });
}
