/** Why the node is programmatic, and pages by itself: what n8n's own paging makes of credits that run out. */
import { constants } from 'node:http2';
import type { IExecuteFunctions } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import { SEARCH_PATH } from '../../sandbox/service';
import { iceland, useService } from './useService';

const shared = useService();

test("n8n's helper that pages returns a 402 as one more page, without an error", async () => {
	const uri = shared.service.baseUrl + SEARCH_PATH;
	const body = { _per_page: 25, person_location_country: ['Iceland'] };
	const options = { uri, method: 'POST' as const, json: true, body };
	const paging = {
		continue: '={{ $response.body.has_more }}',
		request: { body: { _page: '={{ $pageCount + 1 }}' } },
		requestInterval: 0,
	};
	let pages: unknown[] = [];
	jest.spyOn(LeadSearch.prototype, 'execute').mockImplementation(async function (
		this: IExecuteFunctions,
	) {
		const { helpers } = this;
		pages = await helpers.requestWithAuthenticationPaginated.call(
			...([this, options, 0, paging, 'leadSearchApi'] as const),
		);
		return [[]];
	});
	const { message, spent } = await shared.customer({ apiCredits: 50 }).search({ filters: iceland });
	const { HTTP_STATUS_OK: ok, HTTP_STATUS_PAYMENT_REQUIRED: noCredits } = constants;
	expect(pages).toMatchObject([ok, ok, noCredits].map((statusCode) => ({ statusCode })));
	expect({ message, spent }).toEqual({ message: undefined, spent: 50 });
});
