import Ajv from 'ajv';
import {
	ANSWER_SHAPES,
	type AccountOptions,
	type Balances,
	type Behaviour,
} from '../accounts/account';
import { PREVIEW_SHAPES, type PreviewShape } from '../endpoints/previewShape';

const ajv = new Ajv();
const text = { type: 'string', minLength: 1 };
const credits = { type: 'integer', minimum: 0 };
const rows = { type: 'integer', minimum: 1 };
const flag = { type: 'boolean' };
const texts = { type: 'array', items: text };

const balances = { apiCredits: credits, subscriptionCredits: credits };
const behaviour: Record<keyof Behaviour, object> = {
	leads: credits,
	clampPerPage: rows,
	silentClamp: rows,
	laterClamp: only({ fromPage: rows, size: rows }, ['fromPage', 'size']),
	fixedPerPage: rows,
	echoesPerPage: flag,
	perPageIsCount: flag,
	answersPerPage: flag,
	refusesPerPageAbove: only({ size: rows, status: { enum: [400, 413, 422] } }, [
		'size',
		'status',
	]),
	ignoresMaxResults: flag,
	saysMoreWhenShort: flag,
	deniesMoreAtZero: flag,
	refusesAllAtZero: flag,
	ignoresPage: { enum: ['echo', 'one'] },
	repeatsLastPage: flag,
	sendsExtra: rows,
	lookupPagesBy: { enum: ['rows', 'urls'] },
	renamesEvery: rows,
	twoRowsEvery: rows,
	refusesEmptyLookup: { enum: [400, 402, 422] },
	omits: texts,
	omitsRowFields: texts,
	answerShape: { enum: ANSWER_SHAPES },
};

function only(properties: Record<string, object>, required: string[] = []): object {
	return { type: 'object', properties, required, additionalProperties: false };
}

/** Checks of what comes to the back door as JSON; each leaves its `errors` behind. */
export const checks = {
	account: ajv.compile<AccountOptions>(
		only({ id: text, apiKey: text, sessionToken: text, ...balances, ...behaviour }),
	),
	balances: ajv.compile<Partial<Balances>>(only(balances)),
	behaviour: ajv.compile<Behaviour>(only(behaviour)),
	previewShape: ajv.compile<{ shape: PreviewShape }>(
		only({ shape: { enum: PREVIEW_SHAPES } }, ['shape']),
	),
};
