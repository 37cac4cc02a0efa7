/** How much a profile's URL looks like people's names. It decides in which order URLs are looked up, and nothing else. */
import type { Json } from '../api/contract';

/**
 * @example likenessTo([{ full_name: 'Anna Bell' }])('https://www.linkedin.com/in/anna-schmidt'); // 1
 * @returns how many words of a URL's name stand in the `full_name` of any of these rows
 */
export function nameSimilarityTo(rows: readonly Json[]): (url: string) => number {
	const names = rows.map(({ full_name: name }) =>
		typeof name === 'string' ? new Set(wordsOf(name)) : new Set<string>(),
	);
	return (url) => {
		const words = wordsOf(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)));
		return Math.max(0, ...names.map((name) => words.filter((word) => name.has(word)).length));
	};
}

/** Without accents, which addresses lack, and without numbers. */
function wordsOf(text: string): string[] {
	return text
		.normalize('NFD')
		.toLowerCase()
		.split(/[^\p{L}\p{M}]+/u)
		.map((word) => word.replace(/\p{M}/gu, ''))
		.filter((word) => word.length > 1);
}
