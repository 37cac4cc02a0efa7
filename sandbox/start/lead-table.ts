import Table from 'cli-table3';

const fields = ['full_name', 'job_title', 'company', 'work_email'] as const;
export type Lead = Readonly<Record<(typeof fields)[number], string | null>>;

/**
 * A table of leads.
 *
 * @param width columns of the terminal, which the table fills
 */
export function leadTable(leads: readonly Lead[], width: number): string {
	const columnWidth = Math.floor(width / fields.length) - 1;
	const table = new Table({
		head: [...fields],
		colWidths: fields.map(() => columnWidth),
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(fields.map(() => '─'.repeat(columnWidth - 2)));
	for (const lead of leads) table.push(fields.map((field) => lead[field] ?? ''));
	return table.toString();
}
