import type { Limits } from '../limits/limits';
import type { Deviation, Readings } from '../model';

/** How the service treats one account: its defaults keep to the contract. */
export interface Behaviour {
	/** The account sees only the first so many matching leads: the size of its database. */
	leads?: number;
	/** How the contract is read. */
	readings?: Partial<Readings>;
	/** What no supported service does. */
	deviation?: Deviation;
	/** How many requests are accepted; it changes no answer. */
	limits?: Limits;
}
