/**
 * How a service may read the contract. The list is closed: whatever of `Readings` is set together
 * is a service that the package supports exactly. What any other service does is a `Deviation`.
 */
export interface Readings {
	/** The service's own page size: 0 for none, or 25 rows (in a lookup that refuses more: 100) and up. */
	pageSize: number;
	/** "A page size above the service's own is cut", or "a page size is refused (400, 413, 422)". */
	tooLarge: 'cut' | 400 | 413 | 422;
	/**
	 * "A page size above the service's own is cut, and named in `per_page`". One that echoes what was asked for is
	 * supported where it cuts no page; else that is noticed, or documented.
	 */
	perPage: 'served' | 'asked';
	/**
	 * "`page`, `per_page`, `has_more`, `next_page` missing". An answer that would mean something else
	 * without them has them all the same (of the last two, one), and is no bare array: the last page once
	 * more, a page that a low balance cut and that says so, and where a deviation shows in them.
	 */
	missing: ReadonlyArray<'page' | 'per_page' | 'has_more' | 'next_page'>;
	/** `has_more` is true while rows follow, or after each full page, as rule 1 knows `total_count`. */
	hasMore: 'honest' | 'fullPage';
	/** "A low balance gives fewer rows", or "a lookup answers 402 where it is below the rows found". */
	lowBalance: 'fewerRows' | 'lookUpRefused';
	/** A page of leads that it cuts says that it is the last, or that more follow. */
	lowSays: 'end' | 'more';
	/** "At zero 402": to everything, or only where there are rows. */
	zeroBalance: 'refusesAll' | 'refusesRows';
	/** "`max_results` caps the rows, or only `total_count`". */
	maxResults: 'rows' | 'totalCount';
	/**
	 * "A page after the last one gets no rows; 400, 404 or 422; or the page before it once more, named as that
	 * page and saying that none follows".
	 */
	afterLast: 'noRows' | 'lastPage' | 400 | 404 | 422;
	/** "The service refused to go past row 10,000": pages of leads that begin at this row, from 0, or later. */
	refusesFrom?: { row: number; status: 400 | 404 | 422 };
	/** "Rows under `preview_data` or `data`, or as a bare array"; 'contract': each where it has them. */
	rowsAt: 'contract' | 'preview_data' | 'data' | 'bareArray';
	/** "Null or missing rows with `count` 0 are no rows." */
	noRows: 'empty' | 'null' | 'missing';
	/**
	 * "Lookup pages count URLs, or rows found; fewer URLs are served than were sent": those of the first
	 * page, and the answer is about these alone.
	 */
	lookUpPages: 'rows' | 'urls' | 'firstUrls';
	/**
	 * "A profile comes back under another URL (renamed), under none, or twice": in lookups, each
	 * whose id is a multiple of the number. A renamed one is found by its new URL as well.
	 */
	profiles: { renamedEvery?: number; withoutUrlEvery?: number; twiceEvery?: number };
	/**
	 * "A preview masks fields, so that rows look alike": contact details, all but `linkedin_url`, or
	 * all. It may hold at most so many rows, under any name ("the first list of objects found").
	 */
	preview: {
		masks?: 'contacts' | 'allButUrl' | 'all';
		most?: number;
		rowsAt?: string;
	};
}

/** The plain reading. */
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

/** What no supported service does: one of these. */
export interface Deviation {
	/** The page asked for is answered by another one, and that is named. */
	otherPage?: { asked: number; page: number };
	/** From this page on, every page has the rows of page 1, and the number that was asked for. */
	firstPageFrom?: number;
	/** Whether these pages, which ignore `_page`, name themselves page 1. */
	namesFirstPage?: boolean;
	/** From this page on, pages are counted in a smaller size. */
	smallerPages?: { from: number; size: number };
	/** Pages hold so many of the following rows, too; the next one begins where it always does. */
	moreRows?: number;
	/** No page is smaller, and larger ones than asked for are named so. */
	largerPages?: number;
	/** This page is empty and says that more follow. */
	emptyPage?: number;
	/** A balance of zero is answered by an empty page, which says that more follow or, as nobody can see, that none do. */
	emptyAtZero?: 'more' | 'end';
	/** This page, if more follow, names another one than the following as the next. */
	jump?: { page: number; next: number };
	/** Pages are filtered after paging: rows whose id is a multiple of the number never come. */
	filteredEvery?: number;
	/** Rows are charged and not under any known name; 'null': beside their `count`. */
	hiddenRows?: 'null' | 'results' | 'summary';
}
