import { MOST_RESULTS } from './contract/paths';

/** An answer that was given before: what to send, and what it costs. */
export interface ReadyAnswer {
	/** As it goes out. */
	readonly body: Buffer;
	/** Numbers of the leads in it. */
	readonly leads: readonly number[];
	/** Place of the first row in the whole result, from 0. */
	readonly from: number;
}

/**
 * Answers kept ready to be sent, so that a client can be measured and not the service. Each is
 * worked out and checked when it is asked for the first time, and charged every time.
 */
export class ReadyAnswers {
	private readonly answers = new Map<string, ReadyAnswer>();
	private bytes = 0;

	/** @param mostBytes room for the bodies; without any left, further answers aren't kept */
	constructor(private readonly mostBytes: number) {}

	/** The answer to the same question, if it is kept. */
	find(path: string, question: unknown): ReadyAnswer | undefined {
		return this.answers.get(keyOf(path, question));
	}

	/**
	 * Keeps a good answer.
	 * @param balance credits there were; one that could have cut a page makes its answer unfit
	 */
	keep(path: string, question: unknown, balance: number, answer: KeptAnswer): void {
		if (balance < MOST_RESULTS) return;
		const body = Buffer.from(JSON.stringify(answer.body));
		if (this.bytes + body.length > this.mostBytes) return;
		this.bytes += body.length;
		this.answers.set(keyOf(path, question), { ...answer, body });
	}
}

type KeptAnswer = Pick<ReadyAnswer, 'leads' | 'from'> & { body: unknown };

/** The same text for questions whose fields differ in their order only. */
function keyOf(path: string, question: unknown): string {
	const fields = Object.entries(Object(question) as object);
	return JSON.stringify([path, fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
