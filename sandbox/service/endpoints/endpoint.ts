import type { ValidateFunction } from 'ajv';
import type { Behaviour } from '../accounts/account';
import type { HeaderStyle } from '../accounts/credential';
import { complaints } from '../contract/check';
import type { LeadBook } from '../data/leadBook';
import type { Refusal } from './page';

/** An answer before it is checked, charged and sent. */
export interface Served {
	status: 200;
	body: object;
	/** Numbers of its rows, in order (data/rowNumber.ts); each costs a credit at a paid endpoint. */
	leads: number[];
	/** Place of the first row in the whole result, from 0; of its URL where pages are of URLs. */
	from: number;
}

/** What an endpoint may know about its caller. */
export interface Caller {
	/** Credits left in the balance that the credential spends; Infinity when nothing is charged. */
	balance: number;
	behaviour: Behaviour;
}

/** A way to be let in: which secret in which header. */
export type Admission = `${HeaderStyle}:${'apiKey' | 'sessionToken'}`;

/** One endpoint of the contract, as its own file defines it. */
interface Definition<Request> {
	path: string;
	/** Credentials it takes; null when it asks for none and charges nothing. */
	admits: readonly Admission[] | null;
	checkRequest: ValidateFunction<Request>;
	checkAnswer: ValidateFunction;
	serve: (request: Request, book: LeadBook, caller: Caller) => Served | Refusal;
}

/** One endpoint of the contract, as the server sees it: any body may be put to it. */
export interface Endpoint extends Pick<Definition<unknown>, 'path' | 'admits' | 'checkAnswer'> {
	/** Answers a body; one that doesn't fit the request schema is refused with status 400. */
	answer: (body: unknown, book: LeadBook, caller: Caller) => Served | Refusal;
}

/** Puts an endpoint behind the check of its requests. */
export function endpoint<Request>({ checkRequest, serve, ...rest }: Definition<Request>): Endpoint {
	return {
		...rest,
		answer: (body, book, caller) =>
			checkRequest(body)
				? serve(body, book, caller)
				: { status: 400, message: `Bad request: ${complaints(checkRequest, 'body')}` },
	};
}
