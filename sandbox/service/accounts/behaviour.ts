import { Type, type Static } from '@sinclair/typebox';
import { exactly } from '../contract/schemas';
import { limits } from '../limits/limits';
import { deviation, readings } from '../model';

/** How the service treats one account: its defaults keep to the contract. */
export const behaviour = exactly({
	/** The account sees only the first so many matching leads: the size of its database. */
	leads: Type.Optional(Type.Integer({ minimum: 0 })),
	/** How the contract is read. */
	readings: Type.Optional(readings),
	/** What no supported service does. */
	deviation: Type.Optional(deviation),
	/** How many requests are accepted; it changes no answer. */
	limits: Type.Optional(limits),
});
export type Behaviour = Static<typeof behaviour>;
