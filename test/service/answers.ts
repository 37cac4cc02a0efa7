/** The service's answers as JSON Schema and as type (contract: "Endpoints"). */
import { Type, type Static } from '@sinclair/typebox';
import { exactly, leadFields, leadRecord, lookupRow, orNull } from '../../sandbox/service/contract';

const text = Type.String();
const flag = Type.Boolean();
const count = Type.Integer({ minimum: 0 });
const positive = Type.Integer({ minimum: 1 });

const pagePlace = {
	page: positive,
	per_page: positive,
	total_count: count,
	has_more: flag,
	next_page: orNull(Type.Integer({ minimum: 2 })),
};
const pageInfo = exactly({ ...pagePlace, total_pages: count, max_results: positive });

const success = { success: Type.Literal(true), message: text, count };

/** Answer of POST /api/public/search. */
export const searchAnswer = exactly({
	...success,
	...pageInfo.properties,
	preview_count: count,
	preview_data: Type.Array(leadRecord),
	search_id: Type.Null(),
	counting: Type.Literal(false),
});
export type SearchAnswer = Static<typeof searchAnswer>;

/** Answer of POST /api/linkedin/lookup. */
export const lookupAnswer = exactly({
	...success,
	...pageInfo.properties,
	data: Type.Array(lookupRow),
});
export type LookupAnswer = Static<typeof lookupAnswer>;

/** Answer of POST /api/preview; the contract shows none. Its addresses are masked: no emails. */
export const previewAnswer = exactly({
	...pagePlace,
	success: Type.Literal(true),
	count,
	preview_data: Type.Array(exactly({ ...leadFields, work_email: orNull(text) })),
});
export type PreviewAnswer = Static<typeof previewAnswer>;
