import { contestants, fieldsOf, requestsOf, type Contestant, type Work } from './work';

/** What came out of a run, from the contestant and from the service. */
export interface Outcome {
	readonly items: number;
	/** Different LinkedIn URLs among the items. */
	readonly leads: number;
	/** Fields of the last item. */
	readonly fields: number;
	readonly requests: number;
	/** Credits. */
	readonly charged: number;
	/** Answers other than 200. */
	readonly refused: number;
}

/**
 * Sees to it that a run did its work, and no other: whoever drops leads is fast.
 *
 * @throws Error that says what was wrong.
 */
export function checkOutcome(work: Work, contestant: Contestant, outcome: Outcome): void {
	const expected: Outcome = {
		items: work.leads,
		leads: work.leads,
		fields: fieldsOf(work),
		requests: requestsOf(work, contestant),
		charged: work.leads,
		refused: 0,
	};
	const wrong = (Object.keys(expected) as Array<keyof Outcome>)
		.filter((name) => outcome[name] !== expected[name])
		.map((name) => `${name} ${outcome[name]} instead of ${expected[name]}`);
	if (wrong.length > 0) {
		throw new Error(
			`This run of ${contestants[contestant]} does not count: ${wrong.join(', ')}`,
		);
	}
}
