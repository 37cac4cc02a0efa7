import Ajv from 'ajv';
import type { AccountOptions, Balances, Behaviour } from '../accounts/account';
import { PREVIEW_SHAPES, type PreviewShape } from '../endpoints/previewShape';

const ajv = new Ajv();
const text = { type: 'string', minLength: 1 };
const credits = { type: 'integer', minimum: 0 };
const rows = { type: 'integer', minimum: 1 };
const flag = { type: 'boolean' };

const balances = { apiCredits: credits, subscriptionCredits: credits };
const behaviour = {
	leads: credits,
	clampPerPage: rows,
	silentClamp: rows,
	answersPerPage: flag,
	refusesPerPageAbove: {
		type: 'object',
		properties: { size: rows, status: { enum: [400, 413, 422] } },
		required: ['size', 'status'],
		additionalProperties: false,
	},
	ignoresMaxResults: flag,
	saysMoreWhenShort: flag,
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
