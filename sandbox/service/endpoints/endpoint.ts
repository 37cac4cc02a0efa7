import type { TSchema } from '@sinclair/typebox';
import type { Credential, Owner } from '../accounts/accountStore';
import type { Behaviour } from '../accounts/behaviour';
import { checker } from '../contract/check';
import { DEFAULT_PER_PAGE } from '../contract/paths';
import { pageFor, type Page, type Refusal, type Results } from './page';

/** What an endpoint may know about its caller. */
export interface Caller {
	/** Credits left in the balance that the credential spends; Infinity when nothing is charged. */
	balance: number;
	behaviour: Behaviour;
}

/** What tells one endpoint of the contract from the others. */
interface Declaration<Question, Body> {
	path: keyof typeof DEFAULT_PER_PAGE;
	/** Secrets it takes, and in which header; null when it asks for none and charges nothing. */
	admits: ReadonlyArray<`${NonNullable<Credential['headerStyle']>}:${Owner['secret']}`> | null;
	/** A body that doesn't pass is refused with status 400. */
	question: TSchema & { static: Question };
	answer: TSchema & { static: Body };
	maxResults: (question: Question) => number;
	/** Everything that the caller could get. */
	results: (question: Question, behaviour: Behaviour) => Results;
	reply: (page: Page, question: Question, behaviour: Behaviour) => Body;
}

/** An endpoint of the contract. All are POST, and answer with a page of what there is. */
export function endpoint<
	Question extends { _page?: number; _per_page?: number },
	Body extends object,
>(declared: Declaration<Question, Body>) {
	const { path, admits, maxResults, results, reply } = declared;
	const wrongInQuestion = checker(declared.question, 'body');
	return {
		path,
		admits,
		/** What of an answer leaves its schema, if anything. */
		wrongInAnswer: checker(declared.answer, 'answer'),
		/** An answer before it is checked, charged and sent, and the page that it is about. */
		serve(body: unknown, { balance, behaviour }: Caller): { body: Body; page: Page } | Refusal {
			const wrong = wrongInQuestion(body);
			if (wrong !== undefined) return { status: 400, message: `Bad request: ${wrong}` };
			const question = body as Question;
			const asked = {
				page: question._page ?? 1,
				perPage: question._per_page ?? DEFAULT_PER_PAGE[path],
				maxResults: maxResults(question),
			};
			const page = pageFor(asked, results(question, behaviour), balance, behaviour);
			return 'message' in page ? page : { body: reply(page, question, behaviour), page };
		},
	};
}
