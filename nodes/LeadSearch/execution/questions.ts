/** Answers by free previews what people want to know of an audience. */
import type { Hint } from '../messages/hints';
import { pageAt } from '../paging/pages';
import { MAX_LOOKS, type Look } from '../resources/operation';
import { openApi } from './apiAccess';
import type { Ended, Run } from './runResult';

/** For one preview: people wait for what they have paid for. */
const TIMEOUT_MS = 10_000;

/** @returns what is to be told of tasks; no more is asked once a preview fails, as nothing depends on it */
export async function answerQuestions(run: Run, ended: readonly Ended[]): Promise<Hint[]> {
	const hints: Hint[] = [];
	let left = MAX_LOOKS;
	for (const { task, question } of ended) {
		if (!question) continue;
		const look = await lookOf(run, task);
		hints.push(
			await question(async (filters) => {
				if (left <= 0) return undefined;
				left -= 1;
				const hasLeads = await look(filters);
				if (hasLeads === undefined) left = 0;
				return hasLeads;
			}),
		);
	}
	return hints;
}

/** @returns asks for one lead, at the address that the task has asked */
async function lookOf({ context, api: { baseUrl } }: Run, task: Ended['task']): Promise<Look> {
	const signal = context.getExecutionCancelSignal();
	const { send, isCancelled } = await openApi(context, 'preview', signal);
	const timeoutMs = Math.min(task.settings.timeoutMs, TIMEOUT_MS);
	const settings = { ...task.settings, timeoutMs };
	return async (filters) => {
		if (isCancelled()) return undefined;
		const body = () => ({ ...filters, _page: 1, _per_page: 1 });
		const asked = { ...task, baseUrl: task.baseUrl ?? baseUrl, settings, body };
		const outcome = await send(asked, pageAt(0, 1, 'rows'));
		if (!('value' in outcome) || outcome.value.violation !== undefined) return undefined;
		return outcome.value.rows.length > 0;
	};
}
