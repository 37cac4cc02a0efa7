import type { Behaviour } from '../accounts/account';

/** What is sent in place of an answer. */
export interface Sent {
	status: 200 | 204;
	/** A buffer goes out as it is, anything else as JSON. */
	body: object;
	/** JSON unless said otherwise. */
	contentType?: string;
}

type Fields = Record<string, unknown>;

const HTML = '<!doctype html><title>Welcome</title><p>It works!</p>';

function without(fields: object, names: readonly string[]): Fields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Bends an answer that has kept to its schema as the account's behaviour wants it. */
export function bend(answer: object, behaviour: Behaviour): Sent {
	const { omits = [], omitsRowFields = [], perPageIsCount, answersPerPage } = behaviour;
	const [field, otherField] =
		'data' in answer ? ['data', 'preview_data'] : ['preview_data', 'data'];
	const given = (answer as Fields)[field] as object[];
	const rows =
		omitsRowFields.length === 0 ? given : given.map((row) => without(row, omitsRowFields));
	const body = without(
		{ ...answer, [field]: rows, ...(perPageIsCount && { per_page: rows.length }) },
		answersPerPage === false ? [...omits, 'per_page'] : omits,
	);
	switch (behaviour.answerShape) {
		case undefined:
		case 'contract':
			return { status: 200, body };
		case 'otherName':
			return { status: 200, body: { ...without(body, [field]), [otherField]: rows } };
		case 'bareArray':
			return { status: 200, body: rows };
		case 'nullRows':
			return { status: 200, body: { ...body, [field]: null } };
		case 'nullWhenEmpty':
			return { status: 200, body: rows.length === 0 ? { ...body, [field]: null } : body };
		case 'emptyBody':
			return { status: 200, body: Buffer.alloc(0) };
		case 'noContent':
			return { status: 204, body: Buffer.alloc(0) };
		case 'html':
			return { status: 200, body: Buffer.from(HTML), contentType: 'text/html' };
	}
}
