import Table from 'cli-table3';

import type { Results } from '../results';
import { columns, rowsOf } from './rows';

/** The figures as a table for the screen. */
export function screenTable(results: Results): string {
	const table = new Table({ head: [...columns], style: { head: [], border: [] } });
	for (const row of rowsOf(results)) table.push([...row]);
	return table.toString();
}
