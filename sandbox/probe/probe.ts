/** Asks a lead service how it reads its contract, and lays what it does out as a table. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { askerOf } from './ask';
import { questions } from './questions';
import { linesOf, type Line } from './readings';

/**
 * @param filters of a search that more than three leads fit
 * @returns the lines, a Markdown table of them, and the credits that the rows which came cost
 */
export async function probe(baseUrl: string, key: string, filters: Json = {}) {
	const asker = askerOf(baseUrl, key);
	const answers = await questions(asker, filters);
	const lines = linesOf(answers);
	const spent = asker.spent();
	const ended = answers.stopped === undefined ? '' : `\nEnded early: ${answers.stopped}.\n`;
	return { lines, spent, report: `${tableOf(lines)}${ended}\nCredits spent: ${spent}\n` };
}

function tableOf(lines: readonly Line[]): string {
	const head = [
		'| Reading | What the service does | Supported, or noticed (ends a run with a message) |',
		'| --- | --- | --- |',
	];
	const rows = lines.map(({ reading, does, verdict }) =>
		['', reading, does, verdict, '']
			.map((cell) => cell.replaceAll('|', '\\|'))
			.join(' | ')
			.trim(),
	);
	return `${[...head, ...rows].join('\n')}\n`;
}
