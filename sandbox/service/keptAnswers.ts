import { MOST_RESULTS } from './contract/paths';

/** An answer that was given before: what to send, and what it costs. */
export interface KeptAnswer {
	/** The body as it goes out. */
	readonly bytes: Buffer;
	/** Numbers of the leads in it. */
	readonly leads: readonly number[];
	/** Place of the first row in the whole result, from 0. */
	readonly from: number;
}

/**
 * Answers kept ready to be sent, so that a client can be measured and not the service. Each is
 * worked out and checked when it is asked for the first time, and charged every time.
 */
export class KeptAnswers {
	private readonly answers = new Map<string, KeptAnswer>();
	private bytes = 0;

	/** @param mostBytes room for the bodies; without any left, further answers aren't kept */
	constructor(private readonly mostBytes: number) {}

	/** The answer to the same question, if it is kept. */
	find(path: string, body: unknown): KeptAnswer | undefined {
		return this.answers.get(question(path, body));
	}

	/**
	 * Keeps a good answer.
	 * @param balance credits there were; one that could have cut a page makes its answer unfit
	 */
	keep(
		path: string,
		body: unknown,
		balance: number,
		answer: Pick<KeptAnswer, 'leads' | 'from'> & { body: object },
	): void {
		if (balance < MOST_RESULTS) return;
		const bytes = Buffer.from(JSON.stringify(answer.body));
		if (this.bytes + bytes.length > this.mostBytes) return;
		this.bytes += bytes.length;
		const { leads, from } = answer;
		this.answers.set(question(path, body), { bytes, leads, from });
	}
}

/** The same text for bodies whose fields differ in their order only. */
function question(path: string, body: unknown): string {
	const fields = Object.entries(Object(body) as object);
	return JSON.stringify([path, fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
