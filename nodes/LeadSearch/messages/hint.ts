import { formatValue } from '../parameters/invalidParameter';

/** A line of HTML in the output pane, above the items. It is false or undefined if there is nothing to show. */
export type Hint = string | false | undefined;

export type LabelledFilters = Array<readonly [label: string, value: unknown]>;

/** Returns plain text. Escape it before it becomes part of a hint. */
export function formatValues(value: unknown): string {
	const values = [value].flat();
	const more = values.length > 5 ? ` and ${values.length - 5} more` : '';
	return values.slice(0, 5).map(formatValue).join(', ') + more;
}

export const describeNextRows = (next: number, isTool: boolean): string =>
	`There may be more leads. To get the next leads, set 'Skip'${isTool ? '' : ' under Options'} to ${next}.`;
