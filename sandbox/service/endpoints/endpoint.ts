import type { ValidateFunction } from 'ajv';
import type { Credential, Owner } from '../accounts/accountStore';
import type { Behaviour } from '../accounts/behaviour';
import { violations } from '../contract/check';
import type { LeadStore } from '../data/leadStore';
import type { Refusal } from './page';

/** An answer before it is checked, charged and sent. */
export interface Served {
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

/** One endpoint of the contract. */
export interface Endpoint {
	path: string;
	/** Secrets it takes, and in which header; null when it asks for none and charges nothing. */
	admits: ReadonlyArray<`${NonNullable<Credential['headerStyle']>}:${Owner['secret']}`> | null;
	/** Whether an answer keeps to its schema. */
	isAnswer: ValidateFunction;
	/** Answers any body; one that doesn't fit the request's schema is refused with status 400. */
	serve: (request: unknown, store: LeadStore, caller: Caller) => Served | Refusal;
}

/** Refuses a body for what the check has just found. */
export function badRequest(check: ValidateFunction): Refusal {
	return { status: 400, message: `Bad request: ${violations(check, 'body')}` };
}
