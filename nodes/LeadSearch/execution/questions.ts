/** Answers by free previews what people want to know of an audience. */
import type { Hint } from '../messages/hints';
import { pageAt } from '../paging/pages';
import { MAX_LOOKS } from '../resources/operation';
import { openApi } from './apiAccess';
import type { Ended, Run } from './runResult';

/** For one preview: people wait for what they have paid for. */
const TIMEOUT_MS = 10_000;

/** @returns what is to be told of tasks; nothing where a preview fails, as nothing depends on it */
export async function answerQuestions(run: Run, ended: readonly Ended[]): Promise<Hint[]> {
	const hints: Hint[] = [];
	let left = MAX_LOOKS;
	for (const { task, question } of ended) {
		if (!question || question.looks.length === 0 || question.looks.length > left) continue;
		left -= question.looks.length;
		hints.push(await answer(run, task, question));
	}
	return hints;
}

async function answer(
	{ context, api: { baseUrl } }: Run,
	task: Ended['task'],
	question: NonNullable<Ended['question']>,
): Promise<Hint> {
	const { send, isCancelled } = await openApi(
		context,
		'preview',
		context.getExecutionCancelSignal(),
	);
	const asked = {
		...task,
		baseUrl: task.baseUrl ?? baseUrl,
		settings: { ...task.settings, timeoutMs: Math.min(task.settings.timeoutMs, TIMEOUT_MS) },
	};
	const hasLeads: boolean[] = [];
	for (const filters of question.looks) {
		if (isCancelled()) return undefined;
		const body = () => ({ ...filters, _page: 1, _per_page: 1 });
		const outcome = await send({ ...asked, body }, pageAt(0, 1, 'rows'));
		if (!('value' in outcome) || outcome.value.violation !== undefined) return undefined;
		hasLeads.push(outcome.value.rows.length > 0);
	}
	return question.tell(hasLeads);
}
