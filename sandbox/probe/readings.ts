/** What a lead service does about each reading of the contract that the node knows, as a table. */
import type { Json } from '../../nodes/LeadSearch/api/contract';
import { asOneLine } from '../../nodes/LeadSearch/api/errorText';
import { askerOf, type Answer } from './ask';
import { count, FAR_ROW, LARGE, questions, urlIn, type Answers } from './questions';

/** What the service does, or why it was not asked. */
interface Told {
	does: string;
	verdict: 'supported' | 'noticed' | '';
}

/** A line of the table. */
export type Line = Told & { reading: string };

/**
 * Asks a lead service how it reads its contract.
 *
 * @param key the API key
 * @param filters of a search that more than three leads fit
 * @returns the lines, a Markdown table of them, and the credits that the rows which came cost
 */
export async function probe(baseUrl: string, key: string, filters: Json = {}) {
	const asker = askerOf(baseUrl, key);
	const answers = await questions(asker.ask, filters);
	const lines = linesOf(answers);
	const rows = [
		['Reading', 'What the service does', 'Supported, or noticed (ends a run with a message)'],
		['---', '---', '---'],
		...lines.map(({ reading, does, verdict }) => [reading, does, verdict]),
	].map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
	const ended = answers.stopped === undefined ? '' : `\nEnded early: ${answers.stopped}.\n`;
	const spent = asker.spent();
	return { lines, spent, report: `${rows.join('\n')}\n${ended}\nCredits spent: ${spent}\n` };
}

const told = (does: string, isSupported = true): Told => ({
	...{ does, verdict: isSupported ? 'supported' : 'noticed' },
});
const notAsked = (why: string): Told => ({ does: `not asked: ${why}`, verdict: '' });
const given = (value: boolean | number | string | null | undefined) =>
	value === undefined ? 'missing' : String(value);

function linesOf(answers: Answers): Line[] {
	const { preview, first, second, fourth, afterLast, far, counted, urls, profiles } = answers;
	const { afterNone, largeSearch, largeLookUp, emptied, noCredits } = answers;
	const early = notAsked(`the questions ended before: ${given(answers.stopped)}`);
	const other = first && second && repeated(first, second);
	const isCapped = count(second) === 1 && count(fourth) === 1;
	const isFull = count(second) === 2 && other?.verdict === 'supported';
	const refused = [noCredits, profiles].find((answer) => answer?.status === 402);
	const lines: Record<string, Told | undefined> = {
		'A preview of 100 leads': preview && pageOfPreview(preview),
		'Where a preview has its rows': preview && rowsAt(preview),
		[`A page size of ${LARGE} in a search`]: largeSearch && largeSize(largeSearch),
		[`A page size of ${LARGE} in a lookup`]: largeLookUp && largeSize(largeLookUp),
		'Where a search has its rows': first && rowsAt(first),
		'Where a lookup has its rows': counted && rowsAt(counted),
		'`page`, `per_page`, `has_more`, `next_page`': first && missingIn(first),
		'`has_more` and `next_page` on page 1': first?.served && following(first),
		'The page that is answered': second && pageIn(second),
		'Leads of page 1 on page 2': other,
		'More rows than asked for': first && surplus([first, second, fourth, far, counted]),
		'A short page that says that more follow': first && shortWithMore([first, second]),
		'An empty page that says that more follow':
			first && told(emptied ? 'it comes' : 'none', !emptied || noCredits !== undefined),
		'What `max_results` caps':
			isCapped || isFull
				? told(isCapped ? 'the rows' : 'no rows: `total_count` at most')
				: undefined,
		'`per_page` on a short last page': isCapped
			? told(given(second?.served?.perPage) + ' for 1 row of 2')
			: notAsked('no page is known to be the last'),
		'A page after the last one':
			(afterLast && afterTheLast(afterLast)) ?? (afterNone && afterTheLast(afterNone)),
		[`The lead after the first ${FAR_ROW}`]: far && farAway(far),
		'A balance of 0': noCredits
			? atZero(answers, noCredits)
			: notAsked('it takes a key without credits'),
		'The body of a 402': refused
			? told(`\`${given(asOneLine(refused.text))}\``)
			: notAsked('no answer was one'),
		'What lookup pages count': counted && told(count(counted) ? 'rows found' : 'URLs'),
		'The URLs under which profiles come back':
			urls && profiles?.served
				? comingBack(profiles.served.rows.map(urlIn), urls)
				: profiles && notAsked('the answer was a 402'),
	};
	return Object.entries(lines).map(([reading, line = early]) => ({ reading, ...line }));
}

function pageOfPreview({ served, status, size }: Answer): Told {
	if (!served) return told(`status ${status}, and no rows`, false);
	const { rows, perPage } = served;
	const urls = new Set(rows.map(urlIn).filter(Boolean));
	const does = `${rows.length} rows, \`per_page\` ${given(perPage)}`;
	return told(`${does}, ${urls.size} different \`linkedin_url\``, rows.length <= size);
}

function rowsAt({ served, listAt, fields, status }: Answer): Told {
	if (!served) return told(`status ${status}; none among ${fields.join(', ')}`, false);
	if (listAt === null) return told('the body is the list');
	return told(listAt === undefined ? 'there is none without rows' : `\`${listAt}\``);
}

function largeSize({ status, served }: Answer): Told {
	if (!served) return told(`refused (${status})`, [400, 413, 422].includes(status));
	const { perPage = LARGE } = served;
	if (perPage !== LARGE) return told(`\`per_page\` is ${perPage}`, perPage < LARGE);
	return told('taken, or cut without a word: a full page would cost too much');
}

function missingIn({ fields }: Answer): Told {
	const names = ['page', 'per_page', 'has_more', 'next_page'];
	const missing = names.filter((name) => !fields.includes(name));
	return told(missing.length === 0 ? 'all there' : `missing: ${missing.join(', ')}`);
}

function following({ page, served }: Answer): Told {
	const { hasMore, nextPage, violation } = served ?? {};
	const isJump = typeof nextPage === 'number' && nextPage !== page + 1 && hasMore !== false;
	return told(`${given(hasMore)}, ${given(nextPage)}`, !isJump && violation === undefined);
}

function pageIn({ page, served }: Answer): Told {
	return told(`${given(served?.page)} for ${page}`, (served?.page ?? page) === page);
}

function repeated(first: Answer, second: Answer): Told {
	const urls = first.served?.rows.map(urlIn).filter(Boolean) ?? [];
	const again = second.served?.rows.filter((row) => urls.includes(urlIn(row))).length ?? 0;
	return told(`${again} of ${count(second)}`, again === 0);
}

function surplus(all: ReadonlyArray<Answer | undefined>): Told {
	const larger = all.find(
		(one) => one && Math.max(count(one), one.served?.perPage ?? 0) > one.size,
	);
	if (!larger) return told('none');
	return told(
		`${count(larger)} of ${larger.size}, \`per_page\` ${given(larger.served?.perPage)}`,
		false,
	);
}

function shortWithMore(all: ReadonlyArray<Answer | undefined>): Told {
	const short = all.find((one) => {
		const { hasMore, perPage = Infinity } = one?.served ?? {};
		return hasMore === true && count(one) > 0 && count(one) < Math.min(one?.size ?? 0, perPage);
	});
	return short ? told(`${count(short)} rows of ${short.size}`, false) : told('none');
}

function afterTheLast(answer: Answer): Told {
	const { status, served, page } = answer;
	if (!served) return told(`refused (${status})`, [400, 404, 422].includes(status));
	const does = `${count(answer)} rows, \`page\` ${given(served.page)} for ${page}`;
	return told(does, count(answer) === 0 || (served.page ?? page) < page);
}

function farAway({ status, served }: Answer): Told {
	if (!served) return told(`refused (${status})`, [400, 404, 422].includes(status));
	return told(served.rows.length === 1 ? 'it comes' : 'none: fewer leads fit');
}

function atZero({ noneAtZero }: Answers, { status }: Answer): Told {
	if (status === 200) return told('an empty page that says that more follow');
	return told(noneAtZero?.status === 402 ? '402 to everything' : '402 only where there are rows');
}

function comingBack(came: readonly string[], asked: readonly string[]): Told {
	const known = new Set(came.filter((url) => asked.includes(url)));
	const without = came.filter((url) => url === '').length;
	const renamed = came.filter((url) => url !== '' && !asked.includes(url)).length;
	const again = came.length - known.size - without - renamed;
	return told(
		`${asked.length} asked for: ${known.size} came, ${again} twice; under another URL ${renamed}, under none ${without}`,
	);
}
