import type { TSchema } from '@sinclair/typebox';
import type { Credential, Owner } from '../accounts/accountStore';
import type { Behaviour } from '../accounts/behaviour';
import { refusal, type Answer } from '../answer';
import { checker } from '../contract/check';
import { bend } from './bend';
import { pageFor, type Page, type Results } from './page';

/** What tells one endpoint of the contract from the others. */
interface Declaration<Question, Body> {
	path: string;
	/** Secrets it takes, and in which header; null when it asks for none and charges nothing. */
	admits: ReadonlyArray<`${NonNullable<Credential['headerStyle']>}:${Owner['secret']}`> | null;
	/** Rows per page when the request names none. */
	perPage: number;
	/** A body that doesn't pass is refused with status 400. */
	question: TSchema & { static: Question };
	answer: TSchema & { static: Body };
	maxResults: (question: Question) => number;
	/** Whether `total_count` is an estimate instead of exact. */
	estimatesTotal: boolean;
	/** Everything that the caller could get. */
	results: (question: Question, behaviour: Behaviour) => Results;
	reply: (page: Page, question: Question, behaviour: Behaviour) => Body;
}

/** An answer, and the page of rows to charge for, which a bent answer may not hold. */
export interface Served extends Answer {
	/** Undefined for a refusal. */
	page?: Page;
}

/** An endpoint of the contract. All are POST, and answer with a page of what there is. */
export function endpoint<Question extends object, Body extends object>(
	declared: Declaration<Question, Body>,
) {
	const { path, admits, maxResults, estimatesTotal, results, reply } = declared;
	const wrongInQuestion = checker(declared.question, 'body');
	const wrongInAnswer = checker(declared.answer, 'answer');
	/** Page and page size that a body asks for, even one that doesn't pass. */
	const pageAsked = (body: unknown) => {
		const { _page: page, _per_page: perPage } = Object(body) as Record<string, unknown>;
		return {
			page: typeof page === 'number' ? page : 1,
			perPage: typeof perPage === 'number' ? perPage : declared.perPage,
		};
	};
	/**
	 * Answers a request as its caller's behaviour wants it; charging is up to others.
	 * @param balance credits left; Infinity when nothing is charged
	 * @param breaches takes the answer that leaves its schema
	 */
	const serve = (
		body: unknown,
		balance: number,
		behaviour: Behaviour,
		breaches: Array<{ path: string; problems: string }>,
	): Served => {
		const wrong = wrongInQuestion(body);
		if (wrong !== undefined) return refusal(400, `Bad request: ${wrong}`);
		const question = body as Question;
		const asked = { ...pageAsked(body), maxResults: maxResults(question) };
		const found = results(question, behaviour);
		const page = pageFor(asked, found, estimatesTotal, balance, behaviour);
		if ('status' in page) return page;
		const answer = reply(page, question, behaviour);
		const problems = wrongInAnswer(answer);
		if (problems === undefined) return { ...bend(answer, behaviour), page };
		breaches.push({ path, problems });
		return refusal(500, `The answer left its schema: ${problems}`);
	};
	return { path, admits, pageAsked, serve };
}
