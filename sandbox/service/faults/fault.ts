import { Type, type Static, type TObject, type TProperties } from '@sinclair/typebox';
import { exactly, oneOf } from '../contract/schemas';

const text = Type.String();
const positive = Type.Integer({ minimum: 1 });
const optionalText = Type.Optional(text);
const optionalNumber = Type.Optional(Type.Integer({ minimum: 0 }));
const charge = { charge: Type.Optional(Type.Boolean()) };

const match = exactly({
	/** Id, API key or session token of the account. */
	account: optionalText,
	/** The whole path, such as `/api/public/search`. */
	path: optionalText,
	/** Page and page size asked for, defaults included. */
	page: optionalNumber,
	perPage: optionalNumber,
	/** From this request on, counting from 1 those that fit the fields above since it was added. */
	nthRequest: Type.Optional(positive),
	/** How many requests it is injected into: 1 unless said otherwise. */
	times: Type.Optional(Type.Union([positive, Type.Literal('always')])),
});
/** Which requests a fault is injected into; every field that is there must fit. */
export type FaultMatch = Static<typeof match>;

/** What can go wrong, and the fields of each kind. */
const KINDS = {
	/** This answer instead of the normal one; a string is sent as it is, anything else as JSON. */
	status: {
		status: Type.Integer({ minimum: 200, maximum: 599 }),
		headers: Type.Optional(Type.Record(text, text)),
		body: Type.Optional(Type.Unknown()),
		contentType: optionalText,
		...charge,
	},
	/** The request is handled so many milliseconds later. */
	latency: { ms: Type.Integer({ minimum: 0 }) },
	/** It is handled once a request of its account has found so many in flight, itself included. */
	hold: { inFlight: positive },
	/** The connection is cut: before the request is handled, or charged but before any answer. */
	loseBeforeAnswer: {},
	loseAfterAnswer: {},
	/** Charged, and the connection is cut after half of the answer's body. */
	loseMidAnswer: {},
	/** No answer, until the client leaves or the service closes. */
	hang: charge,
	/** An HTML page with status 200. */
	notJson: charge,
	/** The first half of the answer as a complete 200. */
	truncatedJson: charge,
	/** The answer is labelled as gzip and is not. */
	wrongEncoding: charge,
	/** The answer has more than 20 kB of headers. */
	hugeHeaders: charge,
	/** Status 302 unless said otherwise. */
	redirect: { location: text, status: Type.Optional(oneOf(301, 302, 303, 307, 308)) },
	/** Any body with status 200. */
	raw: { body: text, contentType: optionalText, ...charge },
	/** A 200, unless said otherwise, whose JSON body keeps coming slowly and never ends. */
	endless: { status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })), ...charge },
	/** A 200 with a valid JSON body of exactly so many bytes. */
	huge: { bytes: Type.Integer({ minimum: 64 }), ...charge },
	/** These fields laid over the normal answer, after charging; its schema isn't checked again. */
	merge: { merge: Type.Record(text, Type.Unknown()) },
} satisfies Record<string, TProperties>;

/**
 * What goes wrong. Kinds with `charge` leave the request unhandled unless it is true; then it is
 * handled and charged first, as if the answer had got lost behind the fault. Those that spoil the
 * normal answer are charged unless `charge` is false.
 */
export type FaultAction = {
	[K in keyof typeof KINDS]: { kind: K } & Static<TObject<(typeof KINDS)[K]>>;
}[keyof typeof KINDS];

/** A fault on demand. */
export type Fault = FaultMatch & FaultAction;

/** The name of a fault's action. */
export type FaultKind = FaultAction['kind'];

/** Kinds that put a request off, or change its answer: any number of them may meet. */
const NOT_SENDING = ['latency', 'hold', 'merge'] as const;

/** Kinds that replace or spoil the way an answer is sent. */
export type SendingFault = Exclude<FaultAction, { kind: (typeof NOT_SENDING)[number] }>;

/** Whether the fault acts on how the answer is sent. */
export function isSending(fault: FaultAction): fault is SendingFault {
	return !NOT_SENDING.some((kind) => kind === fault.kind);
}

const CHARGED_BY_DEFAULT: ReadonlySet<FaultKind> = new Set([
	'loseAfterAnswer',
	'loseMidAnswer',
	'truncatedJson',
	'wrongEncoding',
	'hugeHeaders',
]);

/** Whether the request is handled, and so charged, before the fault is injected. */
export function chargesFirst(fault: SendingFault): boolean {
	return ('charge' in fault ? fault.charge : undefined) ?? CHARGED_BY_DEFAULT.has(fault.kind);
}

/** The schema of a fault, of whatever kind. */
export const anyFault = Type.Unsafe<Fault>({
	type: 'object',
	discriminator: { propertyName: 'kind' },
	required: ['kind'],
	oneOf: Object.entries<TProperties>(KINDS).map(([kind, fields]) =>
		exactly({ ...match.properties, kind: Type.Literal(kind), ...fields }),
	),
});
