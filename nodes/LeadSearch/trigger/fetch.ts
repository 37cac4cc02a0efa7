/** The next leads of a search, from a place on. */
import type { Json } from '../api/contract';
import type { Failure } from '../api/failures';
import type { ApiAccess } from '../execution/apiAccess';
import { costOf } from '../execution/credits';
import { handIn, takeBack } from '../execution/losses';
import { LeadList } from '../paging/leadList';
import { accountOf } from '../paging/job';
import type { Cost } from '../paging/ledger';
import { fetchAll, type Result } from '../paging/fetchAll';
import { leadsTask, type LeadsRequest } from '../resources/lead/leads';
import { hashOf, type SearchPlace } from './place';

/** What a poll has cost: credits, those that may have been charged, answers that were lost, and requests. */
export type Spent = Pick<Cost, 'charged' | 'atRisk' | 'lost' | 'requests'>;

/** What came, and what it says of the list. */
export interface Fetched {
	spent: Spent;
	/** The leads, as the service sent them; those after the place first. */
	rows: Json[];
	/** The same as they come out. */
	leads: Json[];
	/** How many rows follow the place without a gap. */
	placed: number;
	/** How many that came after the end of the list had been delivered before: they are not among the leads. */
	old: number;
	/** The page size in which pages certainly begin where they are asked for, in rows; 0: not known. */
	certain: number;
	/** Whether the list may end after what has come. */
	mayEnd: boolean;
	/** Why nothing more was asked for; undefined for by a failure. */
	end: Result['end'];
	failure: Failure | undefined;
	warnings: string[];
}

/** Something was thrown on the way: nothing is handed over, but what was spent is spent. */
interface Interrupted {
	thrown: unknown;
	spent: Spent;
}

/** What to fetch. */
interface NextLeads {
	request: LeadsRequest;
	search: SearchPlace;
	/** The most leads. */
	limit: number;
	/** The most credits. */
	room: number;
	/** Whether another request may begin after so many milliseconds. */
	hasTime: (waitMs: number) => boolean;
}

/** Fetches the leads after a place, one page at a time. Failures of the service are in what it returns. */
export async function fetchLeads(
	api: ApiAccess,
	{ request, search, limit, room, hasTime }: NextLeads,
): Promise<Fetched | Interrupted> {
	const { row, served: certain, mayEnd } = search;
	const list = LeadList.from({ row, certain, mayEnd });
	handIn(list, api.baseUrl, api.endpoint);
	const asked = { item: 0, input: {}, request: { ...request, skip: row, limit } };
	const task = leadsTask('search', [asked], list, request.includeRaw);
	const account = accountOf(room);
	const fetchWhile = async (mayGoOn: () => boolean) => {
		const [result] = (await fetchAll([task], {
			...api,
			...request.settings,
			hasTime: (waitMs) => mayGoOn() && hasTime(waitMs),
			account,
			// A place is one row, up to which everything came; several pages at once could leave gaps.
			parallelPages: 1,
			continues: false,
		})) as [Result];
		return { ...result, output: task.output(result.end) };
	};
	try {
		const isOld = (lead: Json) => mayEnd && search.delivered.includes(hashOf(lead));
		// At the end of a list the next lead comes first: where that is an old one, so are those after it.
		let came = await fetchWhile(() => !mayEnd || list.rows === 0);
		const lead = list.rowAt(row);
		const isFirstOld = lead !== undefined && isOld(lead);
		if (mayEnd && lead && !isFirstOld && came.end === 'outOfTime')
			came = await fetchWhile(() => true);
		const { end, failure, output } = came;
		let next = row;
		while (list.rowAt(next)) next++;
		const areNew = output.rows.map((one) => !isOld(one));
		const rows = output.rows.filter((_, index) => areNew[index]);
		const old = output.rows.length - rows.length;
		return {
			spent: costOf([list]),
			rows,
			leads: output.entries.flatMap(({ json }) => json.filter((_, index) => areNew[index])),
			placed: isFirstOld ? 0 : next - row,
			old,
			certain: list.isAccepted ? list.certain : 0,
			// A service may take the end of what a request asked for as the end of the list.
			mayEnd: old > 0 || (end !== 'limit' && list.end !== undefined && list.end.at <= next),
			end,
			failure,
			warnings: output.warnings.filter((text) => typeof text === 'string'),
		};
	} catch (thrown) {
		return { thrown, spent: costOf([list]) };
	} finally {
		takeBack(list, api.baseUrl, api.endpoint);
	}
}
