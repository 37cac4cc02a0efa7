/** The shapes of the service's interface, in the contract's own names. */

/** Whether the service knows a contact detail of a lead. */
export type Presence = 'found' | 'not_found';

/** A lead record, as in `preview_data` ("Lead record"). */
export interface LeadRecord {
	first_name: string;
	last_name: string;
	full_name: string;
	email_status: Presence;
	phone_status: Presence;
	job_title: string;
	company: string;
	city: string;
	state: string;
	country: string;
	work_email: string | null;
	personal_emails: string[];
	mobile_phone: string | null;
	linkedin_url: string;
	linkedin_status: Presence;
	facebook_status: Presence;
	twitter_status: Presence;
	/** Only when the request's `_include_raw` is true. */
	raw?: Record<string, unknown>;
}

/** A row of the lookup's `data` ("LinkedIn lookup row"). */
export interface LookupRow {
	linkedin_url: string;
	full_name: string;
	first_name: string;
	last_name: string;
	job_title: string;
	company: string;
	work_email: string | null;
	personal_emails: string[];
	personal_emails_count: number;
	has_email: boolean;
	mobile_phone: string | null;
	has_phone: boolean;
}

/** The filter value of `email_status` in a search. */
export type EmailFilter = 'all' | 'verified' | 'likely';

/** The filter fields the contract shows ("Search filters"), and the search's `email_status`. */
export interface Filters {
	job_titles?: string[];
	job_title_seniority?: string[];
	person_location_country?: string[];
	email_status?: EmailFilter;
}

/** Body of POST /api/preview. */
export interface PreviewRequest extends Omit<Filters, 'email_status'> {
	_page?: number;
	_per_page?: number;
}

/** Body of POST /api/public/search. */
export interface SearchRequest extends Filters {
	_page?: number;
	_per_page?: number;
	max_results?: number;
	_include_raw?: boolean;
	include_emails?: boolean;
	include_phones?: boolean;
}

/** Body of POST /api/linkedin/lookup. */
export interface LookupRequest {
	linkedinUrls: string[];
	includeWorkEmails?: boolean;
	includePersonalEmails?: boolean;
	onlyWithEmails?: boolean;
	includePhones?: boolean;
	_page?: number;
	_per_page?: number;
	max_results?: number;
}

/** What search and lookup say about the page they answer with. */
export interface PageInfo {
	page: number;
	per_page: number;
	total_pages: number;
	total_count: number;
	has_more: boolean;
	next_page: number | null;
	max_results: number;
}

/** Answer of POST /api/public/search. */
export interface SearchAnswer extends PageInfo {
	success: boolean;
	message: string;
	count: number;
	preview_count: number;
	preview_data: LeadRecord[];
	search_id: null;
	counting: false;
}

/** Answer of POST /api/linkedin/lookup. */
export interface LookupAnswer extends PageInfo {
	success: boolean;
	message: string;
	count: number;
	data: LookupRow[];
}

/** Answer of POST /api/preview in its default shape; the contract shows none. */
export interface PreviewAnswer {
	success: boolean;
	preview_data: LeadRecord[];
	count: number;
	page: number;
	per_page: number;
	has_more: boolean;
	next_page: number | null;
	total_count: number;
}

/** Body of every answer that isn't a 200; the contract shows no shape. */
export interface ErrorAnswer {
	success: false;
	message: string;
}
