import Table from 'cli-table3';

type Lead = Readonly<Record<string, unknown>>;

interface Column {
	readonly field: string;
	readonly width: number;
}

const widest = 30;
/** Space on both sides of a cell, and the line before it. */
const frame = 3;

/**
 * A table of leads: their fields in the order in which they come, as many as fit.
 *
 * @param width columns of the terminal
 */
export function leadTable(leads: readonly Lead[], width: number): string {
	const columns = fitting(columnsOf(leads), width);
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

/** Fields that have a value in one of the leads at least. */
function columnsOf(leads: readonly Lead[]): Column[] {
	const fields = [...new Set(leads.flatMap((lead) => Object.keys(lead)))];
	return fields.flatMap((field) => {
		const longest = Math.max(...leads.map((lead) => asText(lead[field]).length));
		const width = Math.min(widest, Math.max(longest, field.length));
		return longest === 0 ? [] : [{ field, width }];
	});
}

function fitting(columns: readonly Column[], width: number): Column[] {
	let left = width - 1;
	return columns.filter((column) => {
		left -= column.width + frame;
		return left >= 0;
	});
}

function asText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (Array.isArray(value)) return value.map(asText).join(', ');
	if (typeof value === 'string') return value;
	return JSON.stringify(value);
}
