import type { Behaviour } from '../accounts/behaviour';
import { HTML_PAGE, type Answer } from '../answer';

type Fields = Record<string, unknown>;

function without(fields: object, names: readonly string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Bends an answer that has kept to its schema as the account's behaviour wants it. */
export function bend(answer: object, behaviour: Behaviour): Answer {
	const { omitsWhenEmpty = [], omitsRowFields = [], perPageIsCount } = behaviour;
	const { answerShape = 'contract' } = behaviour;
	const [field, otherField] =
		'data' in answer ? ['data', 'preview_data'] : ['preview_data', 'data'];
	const given = (answer as Fields)[field] as object[];
	const rows =
		omitsRowFields.length === 0 ? given : given.map((row) => without(row, omitsRowFields));
	const omits = [
		...(behaviour.omits ?? []),
		...(behaviour.answersPerPage === false ? ['per_page'] : []),
		...(rows.length === 0 ? omitsWhenEmpty : []),
	];
	const body = without(
		{ ...answer, [field]: rows, ...(perPageIsCount && { per_page: rows.length }) },
		omits,
	);
	const under = (name: string) => ({ body: { ...body, [field]: undefined, [name]: rows } });
	const nulled = { body: { ...body, [field]: null } };
	const shapes: Record<typeof answerShape, Partial<Answer>> = {
		contract: { body },
		otherName: under(otherField),
		leads: under('leads'),
		results: under('results'),
		bareArray: { body: rows },
		nullRows: nulled,
		nullWhenEmpty: rows.length === 0 ? nulled : { body },
		unrecognisable: { body: { ok: 1, payload: { kind: 'summary' } } },
		emptyBody: { body: Buffer.alloc(0) },
		noContent: { status: 204, body: Buffer.alloc(0) },
		html: HTML_PAGE,
	};
	return { status: 200, body, ...shapes[answerShape] };
}
