import type { CellResult, Figures, Results } from '../../bench/results';
import { spreadOf } from '../../bench/statistics';
import type { Contestant } from '../../bench/work';

/** Figures of a contestant that always took so many milliseconds, and bytes. */
export function took(milliseconds: number, bytes?: number): Figures {
	return {
		milliseconds: spreadOf([milliseconds]),
		cpuMilliseconds: spreadOf([milliseconds * 2]),
		...(bytes !== undefined && {
			memory: spreadOf([bytes]),
			held: spreadOf([bytes / 2]),
		}),
		requests: 100,
		credits: 100_000,
		atOnce: 1,
	};
}

/** Some work and who did it. */
export function cellResult(
	id: string,
	figures: Partial<Record<Contestant, Figures>>,
	more: Partial<CellResult> = {},
): CellResult {
	return {
		id,
		work: { kind: 'search', leads: 100_000, pageSize: 1_000, raw: false },
		latencyMs: 0,
		figures,
		date: '2026-01-02T03:04:05.000Z',
		commit: 'abc',
		...more,
	};
}

/** The results of a bench on some machine. */
export function resultsWith(...cells: CellResult[]): Results {
	return {
		machine: {
			cpu: 'A processor',
			cores: 2,
			memory: 8 * 2 ** 30,
			system: 'Linux',
			n8n: '2.0.0',
			node: '24.0.0',
			undici: '7.0.0',
		},
		batching: [],
		cells,
	};
}
