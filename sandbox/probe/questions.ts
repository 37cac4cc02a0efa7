/** The questions to a service, each asked only where it can't cost more than a few credits. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { Stopped, type Answer, type Ask } from './ask';

/** A page size that a service may well refuse or cut; asked for only where there is no row. */
export const LARGE = 1_000;
/** A row that a service may not go past, from 0. */
export const FAR_ROW = 10_000;

const NOBODY = 'nobody-has-this-title-or-profile-5f1c9b7e';
const urlOf = (profile: string) => `https://www.linkedin.com/in/${profile}`;

/** The answers by question; those that were not asked for are missing. */
export interface Answers {
	/** A free page. */
	preview?: Answer;
	/** A search that no lead fits: a large page, and the page after the last one. */
	largeSearch?: Answer;
	afterNone?: Answer;
	/** Two leads; where one came, the second. */
	first?: Answer;
	afterFirst?: Answer;
	/** Page 2 of two leads, of three in all; where one came, the fourth. */
	second?: Answer;
	fourth?: Answer;
	/** The page after the last one of these three. */
	afterLast?: Answer;
	far?: Answer;
	/** A large page of profiles that aren't there. */
	largeLookUp?: Answer;
	/** A page of one for two URLs, of which the first is of nobody. */
	counted?: Answer;
	/** Known profiles, and their URLs: two, or one where pages count URLs, as each may come twice. */
	profiles?: Answer;
	urls?: readonly string[];
	/** A row that an empty page, which says that more follow, should have held. */
	emptied?: Answer;
	/** The first answer that tells of no credits, and a search after it that no lead fits. */
	noCredits?: Answer;
	noneAtZero?: Answer;
	/** Why the questions ended early. */
	stopped?: string;
}
type Question = keyof Omit<Answers, 'urls' | 'stopped'>;

/** Asks everything in order, until something has to end it. */
export async function questions(ask: Ask, filters: Json): Promise<Answers> {
	const answers: Answers = {};
	await askAll().catch((error: unknown) => {
		if (!(error instanceof Stopped)) throw error;
		answers.stopped = error.message;
	});
	return answers;

	async function askAll(): Promise<void> {
		const preview = { ...filters, _page: 1, _per_page: 100 };
		answers.preview = await ask('preview', preview, 0);

		const nobody = { job_titles: [NOBODY] };
		const none = await search(1, 1, nobody);
		if (none.status === 402) await outOfCredits(none);
		if (!none.served) throw new Stopped(`a search got status ${none.status} and no list`);
		if (count(none) > 0) throw new Stopped('a search that should fit nobody found a lead');
		answers.largeSearch = await search(1, LARGE, nobody, 0);
		answers.afterNone = await search(2, 1, nobody);

		const first = await leads('first', 1, 2);
		if (count(first) === 1) await leads('afterFirst', 2, 1);
		if (count(first) < 2) throw new Stopped(`the first page held ${count(first)} of 2 leads`);
		const three = { ...filters, max_results: 3 };
		const second = await leads('second', 2, 2, three);
		if (count(second) === 1) await leads('fourth', 4, 1);
		if (count(answers.fourth) === 1) await leads('afterLast', 4, 1, three);
		await leads('far', FAR_ROW + 1, 1);

		const nobodies = Array.from({ length: LARGE }, (_, index) => urlOf(`${NOBODY}-${index}`));
		answers.largeLookUp = await lookUp(nobodies, LARGE, 0);
		const [one = '', other = ''] = (first.served?.rows ?? []).map(urlIn);
		const counted = await paid('counted', lookUp([urlOf(NOBODY), one], 1));
		answers.urls = count(counted) === 1 ? [one, other] : [one];
		answers.profiles = await lookUp(answers.urls, 2);
	}

	async function search(page: number, size: number, more = filters, most = size) {
		const body = { max_results: 100_000, ...more, _page: page, _per_page: size };
		return await ask('search', body, most);
	}

	async function lookUp(linkedinUrls: readonly string[], size: number, most = size) {
		const body = { linkedinUrls, onlyWithEmails: false, _page: 1, _per_page: size };
		return await ask('lookUp', body, most);
	}

	/** Keeps the answer to a search; an empty page that says that more follow is asked for its row. */
	async function leads(question: Question, page: number, size: number, more = filters) {
		const answer = await paid(question, search(page, size, more));
		if (count(answer) > 0 || answer.served?.hasMore !== true) return answer;
		answers.emptied = await search((page - 1) * size + 1, 1);
		if (count(answers.emptied) > 0) throw new Stopped('an empty page said that more follow');
		return await outOfCredits(answer);
	}

	/** Keeps an answer but a 402; ends there, and where the next might cost too much. */
	async function paid(question: Question, asked: Promise<Answer>): Promise<Answer> {
		const answer = await asked;
		const { status, served, size } = answer;
		if (status === 402) await outOfCredits(answer);
		answers[question] = answer;
		if (status === 200 && !served) throw new Stopped('an answer had no rows by a known name');
		if (count(answer) > size) throw new Stopped('more rows came than were asked for');
		return answer;
	}

	async function outOfCredits(answer: Answer): Promise<never> {
		answers.noCredits = answer;
		answers.noneAtZero = await search(1, 1, { job_titles: [NOBODY] });
		throw new Stopped('the key had no credits left');
	}
}

/** The rows of an answer. */
export function count(answer: Answer | undefined): number {
	return answer?.served?.rows.length ?? 0;
}

/** A row's profile, or nothing. */
export function urlIn({ linkedin_url }: Json): string {
	return typeof linkedin_url === 'string' ? linkedin_url : '';
}
