/** Carries out any operation for all input items: reads what they ask for, joins it, fetches it, puts it out. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import { describeFailedItems } from '../messages/hints';
import type { ItemOptions, ItemRequest, LocalOperation, Operation } from '../resources/operation';
import { openApi, type ApiAccess } from './apiAccess';
import { readItems } from './items';
import { executionScopeOf } from '../spending/scope';
import { abortAfterLastResponses } from '../api/cancel';
import { isTool } from './n8n';
import { Output } from './output';
import { logOf } from '../spending/log';
import { FREE_LISTS, PaidResults } from '../cache/paidResults';
import { showHints, type RunHints } from './report';
import { runTasks } from './run';
import { runExclusive } from '../cache/locks';

/**
 * @returns rows, and with On Error set to continue an item for each input item that is not served
 * @throws NodeOperationError before anything is sent, NodeApiError for the service: under Stop Workflow only
 */
export async function executeOperation(
	context: IExecuteFunctions,
	operation: Operation | LocalOperation,
): Promise<INodeExecutionData[][]> {
	const output = new Output(context);
	const { infos, warnings } =
		'answer' in operation
			? answerItems(operation, await readItems(context, output, operation), output)
			: await fetchItems(context, operation, await readItems(context, output, operation), output);
	const items = context.getInputData().length;
	const { size: failed } = output.failed;
	const ofItems = failed > 0 && items > 1 && describeFailedItems(failed, items);
	showHints(context, { infos, warnings: [...warnings, ofItems] });
	return output.outputs();
}

function answerItems(
	operation: LocalOperation,
	requests: Array<ItemRequest<unknown>>,
	output: Output,
): RunHints {
	const { entries, warnings } = operation.answer(requests);
	output.add(entries);
	return { infos: [], warnings };
}

async function fetchItems(
	context: IExecuteFunctions,
	operation: Operation,
	requests: Array<ItemRequest<ItemOptions>>,
	output: Output,
): Promise<RunHints> {
	const [first] = requests;
	const items = requests.map(({ item }) => item);
	const { costsCredits } = ENDPOINTS[operation.endpoint];
	const signal = context.getExecutionCancelSignal();
	let api: ApiAccess | undefined;
	try {
		if (first) {
			const abandon = abortAfterLastResponses(signal);
			api = await openApi(context, operation.endpoint, signal, items, abandon);
		}
	} catch (thrown) {
		output.rejectItems(items.map((item) => ({ item, thrown })));
	}
	if (!first || !api) {
		if (costsCredits && isTool(context)) output.note([], NOTHING_USED);
		return { infos: [], warnings: [] };
	}
	const { settings } = first.request;
	const scope = executionScopeOf(context, api.credentialId);
	const run = { context, scope, api, settings, output };
	const log = logOf(context);
	const paid = costsCredits
		? new PaidResults({
				endpoint: operation.endpoint,
				baseUrl: api.baseUrl,
				account: api.account,
				reuseMinutes: settings.reusePaidResults,
				scope,
				onUnreadable: () => {
					log('warn', UNREADABLE_RETRY_DATA);
				},
			})
		: undefined;
	const tasks = operation.plan(requests, paid ?? FREE_LISTS);
	tasks.sort(({ items: [a = 0] }, { items: [b = 0] }) => a - b);
	const fetch = async () => {
		paid?.restore();
		return await runTasks(run, tasks, paid);
	};
	const onWait = () => {
		log('info', 'waiting for another run that requests the same results');
	};
	// Calls of an agent's tool can overlap; each is to know what the call before has spent.
	const keys = (paid?.lockKeys ?? new Set<string>()).add(scope.lockKey);
	return await runExclusive(keys, fetch, { signal, onWait });
}

const UNREADABLE_RETRY_DATA =
	'the failed execution saved its results in a format that this version does not know, so they are requested again';

/** What a call of a tool cost that sent nothing. */
const NOTHING_USED = { credits: 0, requests: 0 };
