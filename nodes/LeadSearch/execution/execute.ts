/** Carries out any operation for all input items: reads what they ask for, joins it, fetches it, puts it out. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import { hintFailed } from '../messages/hints';
import type { AnyRequest, ItemRequest, LocalOperation, Operation } from '../resources/operation';
import { digest } from '../parameters/canonical';
import { openApi, type ApiAccess } from './apiAccess';
import { readItems } from './items';
import { belongingOf } from './belonging';
import { afterLastAnswers } from './cancel';
import { isTool } from './n8n';
import { Output } from './output';
import { logOf } from './log';
import { takeLeft } from './leftForRetry';
import { FREE_LISTS, PaidLists } from './paidLists';
import { showHints, type Told } from './report';
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
): Told {
	const { entries, warnings } = operation.answer(requests);
	output.add(entries);
	return { infos: [], warnings };
}

async function fetchItems(
	context: IExecuteFunctions,
	operation: Operation,
	requests: Array<ItemRequest<AnyRequest>>,
	output: Output,
): Promise<Told> {
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
	const belonging = belongingOf(context, api.credentialId, settings);
	const run = { context, belonging, api, settings, output };
	const fetch = async () => {
		const paid = costsCredits ? new PaidLists(run, takeLeft(belonging)) : undefined;
		const tasks = operation.plan(requests, paid ?? FREE_LISTS);
		tasks.sort(({ items: [one = 0] }, { items: [other = 0] }) => one - other);
		return await runTasks(run, tasks, paid);
	};
	// Calls of an agent's tool can overlap; each is to know what the one before has paid for.
	return await inTurn(belonging.turn, async () => {
		if (!costsCredits || settings.reusePaidResults === 0) return await fetch();
		// Of executions that ask for the very same at once, one buys it, as of a form that is sent twice: what it has paid
		// for is the other's where that reuses all, or where it was cancelled.
		const wanted = requests.map(({ request }) => request);
		const same = JSON.stringify(
			[belonging.owner, api.credentialId, wanted],
			// URLs, which JSON leaves out of a map.
			(_key, value: unknown) => (value instanceof Map ? [...value.keys()] : value),
		);
		return await inTurn(digest(same), fetch, {
			signal,
			waitsForAll: belonging.reusesAll,
			onWait: () => {
				logOf(context)('info', 'another execution asks for the same; waiting for what it pays for');
			},
		});
	});
}

/** What a call of a tool cost that sent nothing. */
const NOTHING_USED = { credits: 0, requests: 0 };
