import type { PreviewAnswer } from '../contract/types';

/** Where a preview answer keeps its rows: the contract doesn't say, so it can be any of these. */
export const PREVIEW_SHAPES = [
	'preview_data',
	'data',
	'leads',
	'results',
	'array',
	'unrecognisable',
] as const;

/** One of `PREVIEW_SHAPES`. */
export type PreviewShape = (typeof PREVIEW_SHAPES)[number];

/** The same answer in another shape; `array` is the bare rows, `unrecognisable` has no rows. */
export function shaped(answer: PreviewAnswer, shape: PreviewShape): object {
	const { preview_data: rows, ...rest } = answer;
	switch (shape) {
		case 'preview_data':
			return answer;
		case 'array':
			return rows;
		case 'unrecognisable':
			return { ok: 1, payload: { kind: 'summary', matched: rest.total_count } };
		default:
			return { ...rest, [shape]: rows };
	}
}
