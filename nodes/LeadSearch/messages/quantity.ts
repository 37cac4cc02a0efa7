const PLURALS: Readonly<Record<string, string>> = { is: 'are', was: 'were' };

/**
 * Formats a number with its unit: '1 lead', '60 leads', '2,350 leads'.
 *
 * @param unit the unit in the singular
 */
export function quantity(number: number, unit: string): string {
	const [noun = '', verb = ''] = unit.split(' ');
	const many = `${noun}s ${PLURALS[verb] ?? verb}`.trim();
	return `${number.toLocaleString('en')} ${number === 1 ? unit : many}`;
}
