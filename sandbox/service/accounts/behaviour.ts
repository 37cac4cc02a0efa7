import { Type, type Static } from '@sinclair/typebox';
import { exactly, oneOf } from '../contract/schemas';
import { limits } from '../limits/limits';

const rows = Type.Optional(Type.Integer({ minimum: 1 }));
const flag = Type.Optional(Type.Boolean());
const names = Type.Optional(Type.Array(Type.String({ minLength: 1 })));
const size = Type.Integer({ minimum: 1 });

/** How the service treats one account: its defaults keep to the contract, each field bends it. */
export const behaviour = exactly({
	/** The account sees only the first so many matching leads: the size of its database. */
	leads: Type.Optional(Type.Integer({ minimum: 0 })),
	/** Pages hold at most so many rows, and answers say so in `per_page`. */
	clampPerPage: rows,
	/** Pages hold at most so many rows, and answers still repeat the size that was asked for. */
	silentClamp: rows,
	/** From this page number on, pages are counted by this size and hold at most so many rows. */
	laterClamp: Type.Optional(exactly({ fromPage: size, size })),
	/** Pages hold at least so many rows, whatever `_per_page` asks for. */
	minPerPage: rows,
	/** The only page sizes, in order; another one gets the next larger one, or the largest. */
	allowedPerPage: Type.Optional(Type.Array(size, { minItems: 1 })),
	/** Pages hold so many rows, whatever `_per_page` asks for. */
	fixedPerPage: rows,
	/**
	 * A page of another size than asked for begins where the one asked for does, or before, and has
	 * the number that pages of its size have there.
	 */
	renumbersPages: flag,
	/** `per_page` repeats the size that was asked for, whatever size the pages have. */
	echoesPerPage: flag,
	/** `per_page` is the number of rows in the answer, which can be 0. */
	perPageIsCount: flag,
	/** `per_page` is the number of rows where a low balance cut them. */
	perPageIsCut: flag,
	/** False leaves `per_page` out of the answers. */
	answersPerPage: flag,
	/** Page sizes above `size` are refused with this status. */
	refusesPerPageAbove: Type.Optional(exactly({ size, status: oneOf(400, 413, 422) })),
	/** Rows beyond `max_results` are served (and charged) all the same. */
	ignoresMaxResults: flag,
	/** A page cut short by a low balance names a next page instead of looking like the end. */
	saysMoreWhenShort: flag,
	/** An answer that leaves the balance at zero looks like the end, even when its page is full. */
	deniesMoreAtZero: flag,
	/** With a balance of zero, an answer without rows takes the place of 402. */
	answersAtZero: flag,
	/** With a balance of zero everything is refused with 402, requests that would cost nothing too. */
	refusesAllAtZero: flag,
	/**
	 * A request in flight sets the credits for a full page aside, as far as there are any; those
	 * beside it are answered as if they were spent.
	 */
	setsCreditsAside: flag,
	/**
	 * Every page number gets the rows of the first page. 'echo': the rest of the answer fits the
	 * page asked for; 'one': it is page 1 throughout.
	 */
	ignoresPage: Type.Optional(oneOf('echo', 'one')),
	/**
	 * What page numbers behind the last page get instead of an empty one. 'lastPage': its rows, with
	 * the number asked for; 'namedLastPage': its rows, with its number; 'firstPage': the first
	 * page's rows, with the number asked for; 'notFound': 404.
	 */
	behindEnd: Type.Optional(oneOf('lastPage', 'namedLastPage', 'firstPage', 'notFound')),
	/**
	 * Pages hold so many of the following rows, too; the next page starts where it always does.
	 * `max_results` still holds.
	 */
	sendsExtra: rows,
	/**
	 * What a page of a lookup is a part of. 'urls': page n is about URLs (n - 1) * size + 1 to
	 * n * size of the list and holds the rows found for them; `max_results`, `total_count`,
	 * `total_pages` and `has_more` count URLs as well.
	 */
	lookupPagesBy: Type.Optional(oneOf('rows', 'urls')),
	/**
	 * A lookup answers leads whose number is a multiple of it under another `linkedin_url`, by which
	 * it finds them, too.
	 */
	renamesEvery: rows,
	/**
	 * A lookup answers leads whose number is a multiple of it with two rows, each for a credit and
	 * each counted by `max_results`.
	 */
	twoRowsEvery: rows,
	/** Fields left out of the answer. */
	omits: names,
	/** Fields left out of an answer without rows, beside those of `omits`. */
	omitsWhenEmpty: names,
	/** Fields left out of every row. */
	omitsRowFields: names,
	/**
	 * 'otherName': the rows are where the other endpoint has them; 'leads', 'results': under that
	 * name. 'bareArray': nothing but the rows. 'nullRows': null instead of the rows; 'nullWhenEmpty':
	 * only when there are none. 'unrecognisable' (JSON of another kind), 'emptyBody', 'noContent'
	 * (status 204) and 'html' hold no row. All are charged like the answer they replace.
	 */
	answerShape: Type.Optional(
		oneOf(
			'contract',
			'otherName',
			'leads',
			'results',
			'bareArray',
			'nullRows',
			'nullWhenEmpty',
			'unrecognisable',
			'emptyBody',
			'noContent',
			'html',
		),
	),
	/** How many requests are accepted; it bends no answer. */
	limits: Type.Optional(limits),
});
export type Behaviour = Static<typeof behaviour>;
