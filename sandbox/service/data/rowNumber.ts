/** The number of a lead's second row; the number of its first one is the lead's own. */
export function secondRow(lead: number): number {
	return ~lead;
}

/** Whether the number is a second row's. */
export function isSecondRow(row: number): boolean {
	return row < 0;
}

/** The lead that a row is about. */
export function leadOfRow(row: number): number {
	return isSecondRow(row) ? ~row : row;
}
