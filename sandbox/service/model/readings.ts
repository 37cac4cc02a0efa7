/**
 * Interpretations of the contract. The package supports a service with any combination of these. Other behaviour is a
 * `Deviation`.
 */
export interface Readings {
	/** Page size limit of the service: 0 for none, otherwise at least 25 rows (100 in a lookup that rejects more). */
	pageSize: number;
	/** A larger page size is reduced to the limit ('cut'), or rejected with this status. */
	tooLarge: 'cut' | 400 | 422;
	/**
	 * `per_page` is the size that was used, or echoes the requested size. An echo is supported if no page size is reduced;
	 * otherwise the package notices it, or documents it.
	 */
	perPage: 'served' | 'asked';
	/**
	 * Fields that are missing. A response that would have another meaning without them has them nevertheless (one of the
	 * last two), and isn't an array: a repeated last page, a page that a low balance has truncated and that says so,
	 * and a page with a deviation in these fields.
	 */
	missing: ReadonlyArray<'page' | 'per_page' | 'has_more' | 'next_page'>;
	/** `has_more` is true while rows follow, or after each full page (as in search rule 1 for `total_count`). */
	hasMore: 'honest' | 'fullPage';
	/** A low balance truncates the page, or a lookup gets a 402 if the balance is lower than the rows found. */
	lowBalance: 'fewerRows' | 'lookUpRefused';
	/** A page of leads that a low balance has truncated says that it is the last one, or that more follow. */
	lowSays: 'end' | 'more';
	/** With a balance of 0, all requests get a 402, or only those for which there are rows. */
	zeroBalance: 'refusesAll' | 'refusesRows';
	/** `max_results` limits the rows, or only `total_count`. */
	maxResults: 'rows' | 'totalCount';
	/**
	 * A page after the last one has no rows, gets this status, or is the last page again, with its number and saying that
	 * no page follows.
	 */
	afterLast: 'noRows' | 'lastPage' | 400 | 404 | 422;
	/** Pages of leads that start at this row (from 0) or later are rejected with this status. */
	refusesFrom?: { row: number; status: 400 | 404 | 422 };
	/** The field with the rows, or an array of rows as the response. 'contract': the field that the contract shows. */
	rowsAt: 'contract' | 'preview_data' | 'data' | 'bareArray';
	/** Without rows, their field is an empty list, null, or missing. */
	noRows: 'empty' | 'null' | 'missing';
	/** Pages of a lookup count rows or URLs, or only the URLs of the first page are looked up and the others are ignored. */
	lookUpPages: 'rows' | 'urls' | 'firstUrls';
	/**
	 * A lookup returns profiles with another URL (renamed), without a URL, or twice, if their ID is a multiple of the number.
	 * A renamed profile is also found by its new URL.
	 */
	profiles: { renamedEvery?: number; withoutUrlEvery?: number; twiceEvery?: number };
	/**
	 * A preview masks contact details, all fields except `linkedin_url`, or all fields. It can have a limit of rows, and
	 * any field for them.
	 */
	preview: {
		masks?: 'contacts' | 'allButUrl' | 'all';
		most?: number;
		rowsAt?: string;
	};
}

/** The plain reading of the contract. */
export const contract: Readings = {
	pageSize: 0,
	tooLarge: 'cut',
	perPage: 'served',
	missing: [],
	hasMore: 'honest',
	lowBalance: 'fewerRows',
	lowSays: 'end',
	zeroBalance: 'refusesRows',
	maxResults: 'rows',
	afterLast: 'noRows',
	rowsAt: 'contract',
	noRows: 'empty',
	lookUpPages: 'rows',
	profiles: {},
	preview: {},
};

/** Behaviour that the package doesn't support: one of these. */
export interface Deviation {
	/** The response to this page is another page, with its own number. */
	otherPage?: { asked: number; page: number };
	/** From this page on, all pages have the rows of page 1 and the requested number. */
	firstPageFrom?: number;
	/** Whether those pages have the number 1 instead. */
	namesFirstPage?: boolean;
	/** From this page on, pages have a smaller size. */
	smallerPages?: { from: number; size: number };
	/** Pages also contain so many of the following rows. The next page starts where it normally does. */
	moreRows?: number;
	/** The smallest page size. It is named in `per_page`. */
	largerPages?: number;
	/** This page is empty and says that more pages follow. */
	emptyPage?: number;
	/** With a balance of 0, a page is empty. It says that more follow, or that it is the end, which can't be detected. */
	emptyAtZero?: 'more' | 'end';
	/** This page has another next page than the following one, if more rows follow. */
	jump?: { page: number; next: number };
	/** Rows are filtered after paging: those whose ID is a multiple of the number are missing. */
	filteredEvery?: number;
	/** Rows are charged but not in a known field. 'null': `count` has their number. */
	hiddenRows?: 'null' | 'results' | 'summary';
}
