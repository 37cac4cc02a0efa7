/** The service's interface: its paths and limits, its requests and rows as JSON Schema and as type. */
import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';

export const PREVIEW_PATH = '/api/preview';
export const SEARCH_PATH = '/api/public/search';
export const LOOKUP_PATH = '/api/linkedin/lookup';

/** Largest `max_results`, in rows, and largest number of `linkedinUrls` (contract: "Limits"). */
const MOST_RESULTS = 100_000;

/** `max_results`, in rows, when the request names none; for lookup, when it has no URL either. */
export const DEFAULT_MAX_RESULTS = 500;

const text = Type.String();
const texts = Type.Array(text);
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const positive = Type.Integer({ minimum: 1 });
const maxResults = Type.Integer({ minimum: 1, maximum: MOST_RESULTS });
const email = Type.String({ format: 'email' });
const url = Type.String({ format: 'uri' });

function oneOf<T extends string | number>(...values: readonly T[]) {
	return Type.Unsafe<T>({ enum: values });
}

export function exactly<T extends TProperties>(fields: T) {
	return Type.Object(fields, { additionalProperties: false });
}

export function orNull<T extends TSchema>(schema: T) {
	return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
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
/** The filter fields that the contract shows ("Search filters"), and a search's `email_status`. */
export type Filters = Static<typeof filters>;

// Other fields are filters: the contract doesn't list all of those.
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

/** It has no filters, so any other field is a mistake. */
export const lookupRequest = exactly({
	...pageRequest,
	linkedinUrls: Type.Array(text, { maxItems: MOST_RESULTS }),
	max_results: Type.Optional(maxResults),
	includeWorkEmails: Type.Optional(flag),
	includePersonalEmails: Type.Optional(flag),
	onlyWithEmails: Type.Optional(flag),
	includePhones: Type.Optional(flag),
});
export type LookupRequest = Static<typeof lookupRequest>;

const person = {
	first_name: text,
	last_name: text,
	full_name: text,
	job_title: text,
	company: text,
	work_email: orNull(email),
	personal_emails: Type.Array(email),
	mobile_phone: orNull(text),
	linkedin_url: url,
};
const presence = oneOf('found', 'not_found');
export const leadFields = {
	...person,
	email_status: presence,
	phone_status: presence,
	city: text,
	state: text,
	country: text,
	linkedin_status: presence,
	facebook_status: presence,
	twitter_status: presence,
};

const raw = Type.Optional(Type.Record(text, Type.Unknown()));
export const leadRecord = exactly({ ...leadFields, raw });
export type LeadRecord = Static<typeof leadRecord>;

export const lookupRow = exactly({
	...person,
	personal_emails_count: count,
	has_email: flag,
	has_phone: flag,
});
export type LookupRow = Static<typeof lookupRow>;

const ajv = addFormats(new Ajv(), { mode: 'fast', formats: ['email', 'uri'] });

/** A function that tells what of a value doesn't fit the schema, if anything. */
export function checker(schema: object, subject: string): (value: unknown) => string | undefined {
	const fits = ajv.compile(schema);
	return (value) => (fits(value) ? undefined : ajv.errorsText(fits.errors, { dataVar: subject }));
}
