import Ajv from 'ajv';
import type { Fault, FaultKind } from './fault';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const whole = { type: 'integer', minimum: 0 };
const status = { type: 'integer', minimum: 200, maximum: 599 };

interface Fields {
	required?: Record<string, object>;
	optional?: Record<string, object>;
}

const charge = { optional: { charge: flag } };

/** The fields of every kind that can be asked for in JSON. */
const FIELDS: Record<Exclude<FaultKind, 'patch'>, Fields> = {
	status: {
		required: { status },
		optional: {
			headers: { type: 'object', additionalProperties: text },
			body: {},
			contentType: text,
			charge: flag,
		},
	},
	latency: { required: { ms: whole } },
	loseBeforeAnswer: {},
	loseAfterAnswer: {},
	loseMidAnswer: {},
	hang: charge,
	notJson: charge,
	truncatedJson: charge,
	wrongEncoding: charge,
	hugeHeaders: charge,
	redirect: {
		required: { location: text },
		optional: { status: { enum: [301, 302, 303, 307, 308] } },
	},
	raw: { required: { body: text }, optional: { contentType: text, charge: flag } },
	endless: charge,
	huge: { required: { bytes: { type: 'integer', minimum: 64 } }, optional: { charge: flag } },
	merge: { required: { merge: { type: 'object' } } },
};

const match = {
	account: text,
	path: text,
	page: whole,
	perPage: whole,
	nthRequest: { type: 'integer', minimum: 1 },
	times: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'always' }] },
};

const ajv = new Ajv({ discriminator: true });

/** Checks a fault that came as JSON; leaves its `errors` behind. */
export const checkFault = ajv.compile<Exclude<Fault, { kind: 'patch' }>>({
	type: 'object',
	discriminator: { propertyName: 'kind' },
	required: ['kind'],
	oneOf: Object.entries(FIELDS).map(([kind, { required = {}, optional = {} }]) => ({
		properties: { ...match, kind: { const: kind }, ...required, ...optional },
		required: ['kind', ...Object.keys(required)],
		additionalProperties: false,
	})),
});
