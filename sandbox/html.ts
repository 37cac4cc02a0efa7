const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
};

/** Escapes a text for HTML, between tags and in attributes. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
