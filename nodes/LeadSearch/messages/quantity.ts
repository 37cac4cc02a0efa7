const PLURALS: Readonly<Record<string, string>> = { is: 'are', was: 'were' };

/** Returns '1 lead' or '2,350 leads'. `unit` is in the singular, and can have a verb: 'credit was'. */
export function quantity(number: number, unit: string): string {
	const [noun = '', verb = ''] = unit.split(' ');
	const many = `${noun}s ${PLURALS[verb] ?? verb}`.trim();
	return `${formatNumber(number)} ${number === 1 ? unit : many}`;
}

export const formatNumber = (number: number): string => number.toLocaleString('en');
