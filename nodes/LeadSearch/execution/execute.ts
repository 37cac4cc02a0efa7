/** Carries out any operation for all input items: reads what they ask for, joins it, fetches it, puts it out. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import { hintFailed } from '../messages/hints';
import type { AnyRequest, ItemRequest, LocalOperation, Operation } from '../resources/operation';
import { openApi, type ApiAccess } from './apiAccess';
import { readItems } from './items';
import { belongingOf } from './belonging';
import { afterLastAnswers } from './cancel';
import { isTool } from './n8n';
import { Output } from './output';
import { logOf } from './log';
import { FREE_LISTS, PaidLists } from './paidLists';
import { showHints, type RunHints } from './report';
import { runTasks } from './run';
import { inTurn } from './turns';

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
	const ofItems = failed > 0 && items > 1 && hintFailed(failed, items);
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
	requests: Array<ItemRequest<AnyRequest>>,
	output: Output,
): Promise<RunHints> {
	const [first] = requests;
	const items = requests.map(({ item }) => item);
	const { costsCredits } = ENDPOINTS[operation.endpoint];
	const signal = context.getExecutionCancelSignal();
	let api: ApiAccess | undefined;
	try {
		if (first) {
			const abandon = afterLastAnswers(signal);
			api = await openApi(context, operation.endpoint, signal, items, abandon);
		}
	} catch (thrown) {
		output.refuse(items.map((item) => ({ item, thrown })));
	}
	if (!first || !api) {
		if (costsCredits && isTool(context)) output.note([], NOTHING_USED);
		return { infos: [], warnings: [] };
	}
	const { settings } = first.request;
	const belonging = belongingOf(context, api.credentialId);
	const run = { context, belonging, api, settings, output };
	const paid = costsCredits ? new PaidLists(run) : undefined;
	const tasks = operation.plan(requests, paid ?? FREE_LISTS);
	tasks.sort(({ items: [a = 0] }, { items: [b = 0] }) => a - b);
	const fetch = async () => {
		paid?.recall();
		return await runTasks(run, tasks, paid);
	};
	const onWait = () => {
		logOf(context)('info', 'another run asks for the same; waiting for what it pays for');
	};
	// Calls of an agent's tool can overlap; each is to know what the call before has spent.
	const claims = (paid?.claims ?? new Set<string>()).add(belonging.turn);
	return await inTurn(claims, fetch, { signal, onWait });
}

/** What a call of a tool cost that sent nothing. */
const NOTHING_USED = { credits: 0, requests: 0 };
