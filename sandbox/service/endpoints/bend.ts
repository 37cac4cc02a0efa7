import type { Behaviour } from '../accounts/behaviour';
import { HTML_PAGE, type Answer } from '../faults/send';

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
	const under = (name: string) => ({
		status: 200,
		body: { ...without(body, [field]), [name]: rows },
	});
	switch (answerShape) {
		case 'contract':
			return { status: 200, body };
		case 'otherName':
			return under(otherField);
		case 'leads':
		case 'results':
			return under(answerShape);
		case 'bareArray':
			return { status: 200, body: rows };
		case 'nullRows':
			return { status: 200, body: { ...body, [field]: null } };
		case 'nullWhenEmpty':
			return { status: 200, body: rows.length === 0 ? { ...body, [field]: null } : body };
		case 'unrecognisable':
			return { status: 200, body: { ok: 1, payload: { kind: 'summary' } } };
		case 'emptyBody':
			return { status: 200, body: Buffer.alloc(0) };
		case 'noContent':
			return { status: 204, body: Buffer.alloc(0) };
		case 'html':
			return { status: 200, body: Buffer.from(HTML_PAGE), contentType: 'text/html' };
	}
}
