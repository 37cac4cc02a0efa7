import Table from 'cli-table3';

type Lead = Readonly<Record<string, unknown>>;

/** Characters of the widest column. */
const widest = 30;
/** Space on both sides of a cell, and the line before it. */
const frame = 3;

/**
 * A table of leads: their fields that have a value in one of them at least, in the order in which
 * they come, as many as fit.
 *
 * @param width columns of the terminal
 */
export function leadTable(leads: readonly Lead[], width: number): string {
	let left = width - 1;
	const columns = [...new Set(leads.flatMap((lead) => Object.keys(lead)))].flatMap((field) => {
		const longest = Math.max(...leads.map((lead) => asText(lead[field]).length));
		if (longest === 0) return [];
		const column = { field, width: Math.min(widest, Math.max(longest, field.length)) };
		left -= column.width + frame;
		return left >= 0 ? [column] : [];
	});
	const table = new Table({
		head: columns.map(({ field }) => field),
		colWidths: columns.map((column) => column.width + frame - 1),
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(columns.map((column) => '─'.repeat(column.width)));
	for (const lead of leads) table.push(columns.map(({ field }) => asText(lead[field])));
	return table.toString();
}

function asText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (Array.isArray(value)) return value.map(asText).join(', ');
	return typeof value === 'string' ? value : JSON.stringify(value);
}
