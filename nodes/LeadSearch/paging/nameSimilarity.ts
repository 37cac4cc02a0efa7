/** Compares profile URLs with the names in rows. Only the order in which URLs are looked up depends on it. */
import type { Json } from '../api/contract';

/**
 * Returns a function that counts the words that a URL has in common with the `full_name` of the most similar row.
 *
 * @example nameSimilarityTo([{ full_name: 'Anna Bell' }])('https://www.linkedin.com/in/anna-schmidt'); // 1
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

/** Accents are removed, because URLs have none. */
function wordsOf(text: string): string[] {
	return text
		.normalize('NFD')
		.toLowerCase()
		.split(/[^\p{L}\p{M}]+/u)
		.map((word) => word.replace(/\p{M}/gu, ''))
		.filter((word) => word.length > 1);
}
