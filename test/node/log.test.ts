/** Tests the lines that the node writes into n8n's log. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';
import {
	matching,
	createExecutionIds,
	status,
	useService,
	setLastResponseWait,
} from './useService';

const { customer } = useService();

/** @returns a list to which the node's further log lines are added, with their fields */
function watchLog(): unknown[][] {
	const lines: unknown[][] = [];
	const write = (...line: unknown[]) => lines.push(line);
	const execute = Reflect.get(LeadSearch.prototype, 'execute');
	jest.spyOn(LeadSearch.prototype, 'execute').mockImplementation(async function (
		this: IExecuteFunctions,
	) {
		jest.spyOn(this.logger, 'info').mockImplementation(write);
		jest.spyOn(this.logger, 'warn').mockImplementation(write);
		return await execute.call(this);
	});
	return lines;
}

test('the log has a line for a retry and one for a stop, with the IDs of the workflow, the execution and the node', async () => {
	setLastResponseWait(300);
	const lines = watchLog();
	const ids = createExecutionIds();
	const { search, waitForPage } = customer({
		faults: [status(503), { kind: 'hang', page: 2, times: 'always' }],
	});
	const options = { pageSize: 5, parallelPages: 1 };
	await search({ limit: 10, options }, { ...ids, workflowId: 'w7', cancelWhen: waitForPage(2) });
	const fields = {
		workflowId: 'w7',
		executionId: ids.executionId,
		nodeId: ids.nodeId,
		nodeName: 'Lead Search',
	};
	expect(lines).toMatchObject([
		[matching(/^Lead Search: the lead service responded with 503; retrying in \d+ s/), fields],
		[matching(/^Lead Search: the execution was stopped\. /), fields],
	]);
});

test('the log says what a stopped execution was charged, even if no row was missing', async () => {
	const lines = watchLog();
	const { search, waitForPage, spent } = customer({ faults: [{ kind: 'latency', ms: 200 }] });
	await search({ limit: 5 }, { ...createExecutionIds(), cancelWhen: waitForPage(1) });
	expect(spent()).toBe(5);
	expect(lines).toMatchObject([
		[matching(/^Lead Search: the execution was stopped\. 5 leads for 5 credits$/), {}],
	]);
});
