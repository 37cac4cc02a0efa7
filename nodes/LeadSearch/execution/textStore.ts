/** Texts by id in n8n's memory, up to a size; what was used longest ago goes first. Knows nothing of what they hold. */

/** What an entry takes beside its text, in bytes: its id, its facts, and what Node needs for them. */
const BYTES_BESIDE = 1_000;

interface Stored<Facts> {
	/** What is known of the text without reading it. */
	facts: Facts;
	/** In UTF-8: nothing outside can change it. */
	text: Buffer;
}

export class TextStore<Facts> {
	/** In the order of their last use. */
	private readonly stored = new Map<string, Stored<Facts>>();
	private bytes = 0;

	/** @param maxBytes of all entries together */
	constructor(readonly maxBytes: number) {}

	/** Of all texts, what was used longest ago first. */
	get facts(): Facts[] {
		return [...this.stored.values()].map(({ facts }) => facts);
	}

	/** Stores it as what was used latest, and drops what there is no more room for. @returns whether it is stored */
	put(id: string, facts: Facts, text: Buffer): boolean {
		this.drop(id);
		if (text.length + BYTES_BESIDE > this.maxBytes) return false;
		this.stored.set(id, { facts, text });
		this.bytes += text.length + BYTES_BESIDE;
		for (const oldest of this.stored.keys()) {
			if (this.bytes <= this.maxBytes) break;
			this.drop(oldest);
		}
		return true;
	}

	/** @returns the text, now what was used latest */
	read(id: string): string | undefined {
		const found = this.stored.get(id);
		if (!found) return undefined;
		this.put(id, found.facts, found.text);
		return found.text.toString();
	}

	/** Drops the texts of which that is so. */
	dropWhere(isOver: (facts: Facts) => boolean): void {
		for (const [id, { facts }] of this.stored) if (isOver(facts)) this.drop(id);
	}

	private drop(id: string): void {
		const found = this.stored.get(id);
		if (!found) return;
		this.bytes -= found.text.length + BYTES_BESIDE;
		this.stored.delete(id);
	}
}

/**
 * Writes an object as JSON in UTF-8, its lists piece by piece: Node has no text above 512 MB.
 *
 * @returns undefined beyond so many bytes, of which no more is written, and for what can't be written
 */
export function writeJson(value: object, maxBytes: number): Buffer | undefined {
	const pieces: string[] = [];
	let bytes = 0;
	const add = (text: string) => {
		bytes += Buffer.byteLength(text);
		if (bytes > maxBytes) throw new RangeError('Too long');
		pieces.push(text);
	};
	const addAll = (values: unknown[]) => {
		values.forEach((one, index) => {
			add(`${index > 0 ? ',' : ''}${JSON.stringify(one ?? null)}`);
		});
	};
	try {
		const fields = Object.entries(value).filter(([, field]) => field !== undefined);
		fields.forEach(([name, field], index) => {
			add(`${index > 0 ? ',' : '{'}${JSON.stringify(name)}:`);
			if (Array.isArray(field)) {
				add('[');
				addAll(field);
				add(']');
			} else add(JSON.stringify(field));
		});
		add(fields.length > 0 ? '}' : '{}');
		return Buffer.from(pieces.join(''));
	} catch {
		return undefined;
	}
}
