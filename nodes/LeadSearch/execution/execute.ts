/** Carries out any operation for all input items. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ENDPOINTS } from '../api/contract';
import type {
	ItemRequest,
	LocalOperation,
	Operation,
	ServiceOptions,
} from '../resources/operation';
import { openApi, type ApiAccess } from './apiAccess';
import { readItems } from './items';
import type { Cost } from '../paging/cost';
import { Credits } from '../paging/credits';
import { executionScopeOf } from '../spending/scope';
import { abortAfterLastResponses } from '../api/cancel';
import { readEnvironment, type Environment } from './environment';
import { Output } from './output';
import { reportCost } from '../spending/costReport';
import { FREE_LISTS, PaidResults } from '../cache/paidResults';
import { showHints, type RunHints } from './report';
import { runTasks } from './run';
import { describeFailedItems } from './hints';
import type { Run } from './runResult';
import { runExclusive } from '../cache/locks';

/**
 * Returns one array of items for each output of the node.
 *
 * @throws NodeOperationError or NodeApiError if an input item failed and On Error is set to Stop Workflow
 */
export async function executeOperation(
	context: IExecuteFunctions,
	operation: Operation | LocalOperation,
): Promise<INodeExecutionData[][]> {
	const environment = readEnvironment(context);
	const output = new Output(environment);
	const readRequests = <Request>(source: Pick<LocalOperation<Request>, 'read'>) =>
		readItems(context, environment, output, source);
	const { infos, warnings } =
		'compute' in operation
			? computeItems(operation, await readRequests(operation), output)
			: await fetchItems(context, environment, operation, await readRequests(operation), output);
	const items = environment.inputItems.length;
	const { size: failed } = output.failed;
	const failedItems = failed > 0 && items > 1 && describeFailedItems(failed, items);
	showHints(context, { infos, warnings: [...warnings, failedItems] });
	return output.outputs();
}

function computeItems(
	operation: LocalOperation,
	requests: Array<ItemRequest<unknown>>,
	output: Output,
): RunHints {
	const { entries, warnings } = operation.compute(requests);
	output.add(entries);
	return { infos: [], warnings };
}

async function fetchItems(
	context: IExecuteFunctions,
	environment: Environment,
	operation: Operation,
	requests: Array<ItemRequest<ServiceOptions>>,
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
		if (costsCredits && environment.isTool) output.note([], NO_USAGE);
		return { infos: [], warnings: [] };
	}
	const { settings } = first.request;
	const scope = executionScopeOf(context, api.credentialId);
	const { log } = environment;
	const paid = costsCredits
		? new PaidResults({
				baseUrl: api.baseUrl,
				account: api.account,
				reuseMinutes: settings.reusePaidResults,
				scope,
			})
		: undefined;
	const tasks = operation.plan(requests, paid ?? FREE_LISTS);
	tasks.sort(({ items: [a = 0] }, { items: [b = 0] }) => a - b);
	if (scope.isSpendingUnreadable) log('warn', UNREADABLE_SPENDING);
	const isComplete = paid?.restoreIfComplete() === true;
	const openRun = (): Run => {
		const { maxCredits } = settings;
		const { ceiling, isCancelled } = api;
		const run = { environment, api, settings, output };
		if (!costsCredits)
			return { ...run, credits: new Credits({ maxCredits: Infinity }), settle: () => undefined };
		const { credits, settle: settleCredits } = scope.openCredits({ maxCredits, ceiling });
		const settle = (runCost: Cost) => {
			settleCredits(runCost);
			const totalCost = scope.isExecution ? credits.totalWith(runCost) : runCost;
			reportCost(context, operation.endpoint, { runCost, totalCost }, isCancelled());
		};
		return { ...run, credits, settle };
	};
	const runWithLocks = async () => {
		if (!isComplete) paid?.restore();
		const hints = await runTasks(openRun(), tasks, paid);
		const unreadable = scope.isSpendingUnreadable && UNREADABLE_SPENDING;
		return { ...hints, warnings: [unreadable, ...hints.warnings] };
	};
	const onWait = () => {
		log('info', 'waiting for another run that requests the same results');
	};
	// Calls of an agent's tool can overlap, and each must know what the earlier calls have spent.
	const listKeys = isComplete ? [] : (paid?.lockKeys ?? []);
	const keys = new Set([...listKeys, scope.lockKey]);
	return await runExclusive(keys, runWithLocks, { signal, onWait });
}

const UNREADABLE_SPENDING =
	"Another version of this package has run in this execution, and what it spent can't be read. So 'Max Credits' and 'Credit Ceiling' count from 0 again.";

/** The field `usage` for a call of an agent that sent no request. */
const NO_USAGE = { credits: 0, requests: 0 };
