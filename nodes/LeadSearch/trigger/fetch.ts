import type { Json } from '../api/contract';
import type { Failure } from '../api/failures';
import { PaidResults } from '../cache/paidResults';
import { runExclusive } from '../cache/locks';
import { costOf, type Cost } from '../paging/cost';
import { Credits } from '../paging/credits';
import { fetchAll, type Result } from '../paging/fetchAll';
import { leadsTask, listId } from '../resources/lead/leads';
import { hashOf, type SearchCursor } from './cursor';
import type { Poll } from './poll';

export interface FetchResult extends Pick<SearchCursor, 'mayEnd'> {
	pageSize: number | undefined;
	spent: Pick<Cost, 'charged' | 'possiblyCharged' | 'lostResponses' | 'requests'>;
	/** The leads after the cursor come first, then charged leads without a known index in the list. */
	rows: Json[];
	/** The number of rows by which the cursor moves: up to the first row that wasn't received. */
	advance: number;
	/**
	 * The number of leads that came again among the last 1,000 delivered ones. New leads at the start of the list push
	 * old leads back. `rows` doesn't contain them.
	 */
	oldLeads: number;
	failure: Failure | undefined;
	warnings: string[];
	/**
	 * The exception that ended the poll, if it isn't a failure of the service. No leads are returned then, but the
	 * spent credits are recorded.
	 */
	thrown?: unknown;
}

/**
 * Fetches the next leads without those delivered before. If the service fails, the result contains the failure.
 *
 * @param paidSince the time of an earlier poll that bought the leads after this cursor, which n8n has discarded; now if
 * there is none
 */
export async function fetchLeads(
	{ api, request, signal, startedAt, budgetMs }: Poll,
	cursor: SearchCursor,
	{ limit, credits, paidSince }: { limit: number; credits: number; paidSince: number },
): Promise<FetchResult> {
	const { row, pageSize, mayEnd } = cursor;
	// A search that has returned rows was accepted, so a refusal is about the page.
	const isAccepted = row > request.skip || mayEnd;
	const paid = new PaidResults({
		baseUrl: api.baseUrl,
		account: api.account,
		reuseMinutes: request.settings.reusePaidResults,
		scope: { startedAt: paidSince, offersRetry: false, nodeData: undefined },
	});
	const ranges = [[row, row + limit]] as const;
	const from = { row, isAccepted, mayEnd, pageSize };
	const list = paid.createLeads(listId('search', request), request.includeRaw, ranges, from);
	const itemRequest = { item: 0, input: {}, request: { ...request, skip: row, limit } };
	const task = leadsTask('search', [itemRequest], list);
	const delivered: ReadonlySet<string | undefined> = new Set(cursor.delivered);
	const send = async (): Promise<Pick<Result, 'outcome' | 'failure'>> => {
		// The leads of an unexpected response have no index. If n8n has discarded them, they come before others are bought.
		if (list.unmatchedRows.length > 0) return {};
		const [result] = (await fetchAll([task], {
			...api,
			...request.settings,
			// A wait must not last until the end of the poll's time.
			hasTime: (waitMs) => Date.now() + waitMs - startedAt < budgetMs / 2,
			credits: new Credits({ maxCredits: credits }),
			// A cursor is one row, up to which all rows were received. Concurrent pages could leave gaps.
			parallelPages: 1,
			continuesOnFailure: false,
		})) as [Result];
		return result;
	};
	const isComplete = paid.restoreIfComplete();
	const fetch = async (): Promise<FetchResult> => {
		if (!isComplete) paid.restore();
		const { outcome, failure } = await send().finally(() => {
			paid.save();
		});
		const output = task.output(outcome);
		let next = row;
		while (list.cells.get(next)) next++;
		// Reused leads after a missing row are left to a later poll.
		const later = new Set(list.rowsBetween(next, row + limit).rows);
		const due = output.rows.filter((lead) => !later.has(lead) || !list.reusedRows.has(lead));
		const isOld = (lead: Json) => delivered.has(hashOf(lead));
		const rows = due.filter((lead) => !isOld(lead));
		const oldLeads = due.length - rows.length;
		return {
			spent: costOf([list]),
			rows,
			advance: next - row,
			oldLeads,
			pageSize: list.pageSize,
			// A service may report the end of the requested rows as the end of the list.
			mayEnd: outcome !== 'limit' && list.end !== undefined && list.end.at <= next,
			failure,
			warnings: output.warnings.filter((text) => typeof text === 'string'),
		};
	};
	try {
		return await runExclusive(isComplete ? new Set() : paid.lockKeys, fetch, { signal });
	} catch (thrown) {
		const nothing = { rows: [], advance: 0, oldLeads: 0, warnings: [] };
		return {
			...nothing,
			failure: undefined,
			pageSize,
			mayEnd,
			spent: costOf([list]),
			thrown,
		};
	}
}
