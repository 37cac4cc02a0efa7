/** Compares profile URLs with the names in rows. This decides only the order in which URLs are looked up. */
import type { Json } from '../api/contract';

/**
 * Creates a function that scores how similar a profile URL is to the names in rows.
 *
 * @example nameSimilarityTo([{ full_name: 'Anna Bell' }])('https://www.linkedin.com/in/anna-schmidt'); // 1
 * @returns a function from a URL to its score: the number of words that the URL has in common with the `full_name` of
 * the most similar row
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

/**
 * Splits a name into words of at least two letters, in lower case. Accents are removed, because URLs have none.
 * Numbers are left out.
 */
function wordsOf(text: string): string[] {
	return text
		.normalize('NFD')
		.toLowerCase()
		.split(/[^\p{L}\p{M}]+/u)
		.map((word) => word.replace(/\p{M}/gu, ''))
		.filter((word) => word.length > 1);
}
