/**
 * Carries out an operation for all input items: reads and checks what they ask for, joins it, fetches
 * it, and puts out rows and failures by the node's On Error setting. One place for all operations.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import { asInvalid, formatNoRecord } from '../messages/nodeErrors';
import type { AnyRequest, ItemRequest, LocalOperation, Operation } from '../resources/operation';
import { AlreadyLookedUp } from './alreadyLookedUp';
import { openApi, type ApiAccess } from './apiAccess';
import { inTurn, withCeiling } from './credits';
import { readItems, refuse } from './items';
import { cancelSignalOf, executionIdOf, hasSecondOutput, isTool } from './n8n';
import { Output } from './output';
import { PaidResults } from './paidResults';
import { logCheck } from './progress';
import { showHints } from './report';
import { Run } from './run';

/**
 * @returns rows, and with On Error set to continue an item for each input item that is not served
 * @throws NodeOperationError for what is wrong before anything is sent; NodeApiError for a failure of
 * the service; both only with On Error set to Stop Workflow
 */
export async function executeOperation(
	context: IExecuteFunctions,
	operation: Operation | LocalOperation,
): Promise<INodeExecutionData[][]> {
	const output = new Output(hasSecondOutput(context) ? new Output() : undefined);
	if ('answer' in operation) {
		const requests = readItems(context, output, (values) => operation.read(values));
		const { entries, warnings } = operation.answer(requests);
		for (const entry of entries) output.add(entry);
		showHints(context, [], warnings);
	} else await fetchItems(context, operation, output);
	return output.outputs();
}

/** Characters of a tool's result that n8n shows to an agent: 50,000 tokens of about 4. */
const READ_BY_AGENTS = 200_000;

async function fetchItems(
	context: IExecuteFunctions,
	operation: Operation,
	output: Output,
): Promise<void> {
	const requests = readItems(context, output, (values) => {
		const request = operation.read(values);
		if (isTool(context)) operation.checkForTool?.(request);
		return request;
	});
	const [first] = requests;
	if (!first) return;
	// What holds for the whole run is taken from the first item.
	const { maxCredits: budget, reusePaidResults: minutes } = first.request.settings;
	const { endpoint } = operation;
	const items = requests.map(({ item }) => item);
	let api: ApiAccess;
	try {
		api = await openApi(context, endpoint, cancelSignalOf(context));
	} catch (thrown) {
		refuse(context, output, items, thrown);
		return;
	}
	const executionId = executionIdOf(context);
	const { id: workflowId = '' } = context.getWorkflow();
	const { id: nodeId } = context.getNode();
	await inTurn(`${executionId} ${nodeId}`, async () => {
		const lookedUp = new AlreadyLookedUp(context, api.baseUrl);
		const boughtBefore = await findBought(context, operation, requests, lookedUp).catch(
			(thrown: unknown) => {
				refuse(context, output, items, asInvalid(context.getNode(), formatNoRecord(thrown)));
			},
		);
		if (!boughtBefore) return;
		const paidResults = new PaidResults(context, {
			executionId,
			scope: [workflowId, nodeId, api.identity],
			isManual: context.getMode() === 'manual',
			minutes,
			costsCredits: ENDPOINTS[endpoint].costsCredits,
			boughtBefore,
		});
		const tasks = operation.plan(requests, paidResults);
		await withCeiling(context, executionId, api, async (ceiling) => {
			const state = { executionId, endpoint, tasks, api, output, paidResults, lookedUp };
			await new Run(context, { ...state, ceiling, budget, minutes }).execute();
			if (isTool(context)) output.noteIfLongerThan(READ_BY_AGENTS);
		});
	});
}

/** @returns the profiles that earlier executions bought, of those that are then left out */
async function findBought(
	{ logger }: IExecuteFunctions,
	operation: Operation,
	requests: Array<ItemRequest<AnyRequest>>,
	lookedUp: AlreadyLookedUp,
): Promise<Set<string>> {
	const urls = new Set<string>();
	for (const { request } of requests) {
		for (const url of operation.leavesOutBought?.(request) ?? []) urls.add(url);
	}
	if (urls.size > 10_000) logCheck(logger, urls.size);
	return await lookedUp.find([...urls]);
}
