import Table from 'cli-table3';
import type { IDataObject } from 'n8n-workflow';

const fields = ['full_name', 'job_title', 'company', 'work_email'];

/**
 * A table of leads.
 *
 * @param width columns of the terminal, which the table fills
 */
export function leadTable(leads: readonly IDataObject[], width: number): string {
	const columnWidth = Math.floor(width / fields.length) - 1;
	const table = new Table({
		head: fields,
		colWidths: fields.map(() => columnWidth),
		style: { head: [], border: [] },
		chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
	});
	table.push(fields.map(() => '─'.repeat(columnWidth - 2)));
	for (const lead of leads) table.push(fields.map((field) => (lead[field] ?? '') as string));
	return table.toString();
}
