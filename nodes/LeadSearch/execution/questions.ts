/** Answers by free previews what people want to know of an audience. */
import type { Json } from '../api/contract';
import type { Hint } from '../messages/hints';
import { pageAt } from '../paging/pages';
import { MAX_LOOKS, type Look } from '../resources/operation';
import { openApi } from './apiAccess';
import { isTool } from './n8n';
import type { TaskResult, Run } from './runResult';

/** For one preview: people wait for what they have paid for. */
const TIMEOUT_MS = 10_000;

/**
 * Asks only where somebody reads the answer, and no more once a preview fails, as nothing depends on it.
 *
 * @returns what is to be told of each task
 */
export async function answerQuestions(run: Run, results: readonly TaskResult[]): Promise<Hint[]> {
	const hints: Hint[] = [];
	let left = run.belonging.isByHand || isTool(run.context) ? MAX_LOOKS : 0;
	for (const { task, question } of results) {
		const look: Look = async (filters) => {
			if (left <= 0) return undefined;
			left -= 1;
			const hasLeads = await lookFor(run, task, filters);
			if (hasLeads === undefined) left = 0;
			return hasLeads;
		};
		hints.push(await question?.(look));
	}
	return hints;
}

/** Requests one lead, at the address of the task. */
async function lookFor(
	{ context, api: { baseUrl } }: Run,
	task: TaskResult['task'],
	filters: Json,
): Promise<boolean | undefined> {
	const signal = context.getExecutionCancelSignal();
	const { send, isCancelled } = await openApi(context, 'preview', signal);
	if (isCancelled()) return undefined;
	const timeoutMs = Math.min(task.settings.timeoutMs, TIMEOUT_MS);
	const body = () => ({ ...filters, _page: 1, _per_page: 1 });
	const settings = { ...task.settings, timeoutMs };
	const preview = { ...task, baseUrl: task.baseUrl ?? baseUrl, settings, body };
	const outcome = await send(preview, pageAt(0, 1, 'rows'));
	if (!('value' in outcome) || outcome.value.violation !== undefined) return undefined;
	return outcome.value.rows.length > 0;
}
