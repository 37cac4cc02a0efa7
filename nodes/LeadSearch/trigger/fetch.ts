/** The next leads of a search, from a place on. */
import { randomUUID } from 'crypto';

import type { Json } from '../api/contract';
import type { Failure } from '../api/failures';
import { costOf } from '../spending/cost';
import { PaidResults } from '../cache/paidResults';
import { runExclusive } from '../cache/locks';
import { budgetOf } from '../paging/budget';
import { fetchAll, type Result } from '../paging/fetchAll';
import type { PollPosition } from '../paging/leadList';
import type { Cost } from '../paging/pagedList';
import { leadsTask, listId } from '../resources/lead/leads';
import { hashOf, type SearchCursor } from './cursor';
import type { Poll } from './poll';

/** What came, and what it says of the list. */
export interface FetchResult extends Pick<PollPosition, 'confirmedSize' | 'mayEnd'> {
	spent: Pick<Cost, 'charged' | 'possiblyCharged' | 'lostResponses' | 'requests'>;
	/** The leads, as the service sent them; those after the place first. */
	rows: Json[];
	/** How many rows follow the place without a gap. */
	advance: number;
	/** How many that came after the end of the list had been delivered before: they are not among the leads. */
	oldLeads: number;
	failure: Failure | undefined;
	warnings: string[];
	/** What stopped it, beside a failure of the service: nothing came, and what was spent is spent. */
	thrown?: unknown;
}

/**
 * Fetches the leads after a place, one page at a time; what the account has paid for costs nothing. Failures of the
 * service are in what it returns.
 *
 * @param limit the most leads @param room the most credits
 * @param isUnsaved whether what was bought from this place was thrown away: it is not bought again, however old it is
 */
export async function fetchLeads(
	{ api, request, signal, startedAt, budgetMs }: Poll,
	cursor: SearchCursor,
	{ limit, credits, isUnsaved }: { limit: number; credits: number; isUnsaved: boolean },
): Promise<FetchResult> {
	const { row, confirmedSize, mayEnd } = cursor;
	const executionId = randomUUID();
	const cursorId = `${cursor.fingerprint} ${row}`;
	const firstExecutionId = isUnsaved ? cursorId : executionId;
	const paid = new PaidResults({
		endpoint: 'search',
		baseUrl: api.baseUrl,
		account: api.account,
		reuseMinutes: request.settings.reusePaidResults,
		scope: { executionId, firstExecutionId, offersRetry: false, nodeData: undefined },
		usageKey: cursorId,
	});
	const ranges = [[row, row + limit]] as const;
	const list = paid.leads(listId('search', request), request.includeRaw, ranges, cursor);
	const itemRequest = { item: 0, input: {}, request: { ...request, skip: row, limit } };
	const task = leadsTask('search', [itemRequest], list);
	// At the end of a list the next lead comes first: where that is an old lead, so are those after it.
	const isOld = (lead: Json | undefined) =>
		mayEnd && lead !== undefined && cursor.delivered.includes(hashOf(lead));
	const fetch = async (): Promise<FetchResult> => {
		paid.restore();
		const [{ end, failure }] = (await fetchAll([task], {
			...api,
			...request.settings,
			// No wait goes on until the end of the poll's time.
			hasTime: (waitMs) =>
				Date.now() + waitMs - startedAt < budgetMs / 2 && !isOld(list.cells.get(row)),
			budget: budgetOf(credits),
			// A place is one row, up to which everything came; several pages at once could leave gaps.
			parallelPages: 1,
			continuesOnFailure: false,
		})) as [Result];
		const output = task.output(end);
		let next = row;
		while (list.cells.get(next)) next++;
		// What was paid for before, and follows a row that is missing, comes in its turn.
		const later = new Set(list.rowsBetween(next, row + limit));
		const due = output.rows.filter((lead) => !later.has(lead) || !list.reusedRows.has(lead));
		const rows = due.filter((lead) => !isOld(lead));
		const oldLeads = due.length - rows.length;
		return {
			spent: costOf([list]),
			rows,
			advance: isOld(list.cells.get(row)) ? 0 : next - row,
			oldLeads,
			confirmedSize: list.wasAccepted ? list.confirmedSize : 0,
			// A service may take the end of what a request asked for as the end of the list.
			mayEnd: oldLeads > 0 || (end !== 'limit' && list.end !== undefined && list.end.at <= next),
			failure,
			warnings: output.warnings.filter((text) => typeof text === 'string'),
		};
	};
	try {
		return await runExclusive(paid.lockKeys, fetch, { signal });
	} catch (thrown) {
		const nothing = { rows: [], advance: 0, oldLeads: 0, warnings: [] };
		return {
			...nothing,
			failure: undefined,
			confirmedSize,
			mayEnd,
			spent: costOf([list]),
			thrown,
		};
	} finally {
		paid.save();
	}
}
