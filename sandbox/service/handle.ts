import type { Account } from './accounts/account';
import type { Credential, Owner } from './accounts/accountStore';
import type { Behaviour } from './accounts/behaviour';
import { refusal, type Answer } from './answer';
import { checker } from './contract/check';
import {
	LOOKUP_PATH,
	lookupRequest,
	MOST_RESULTS,
	PREVIEW_PATH,
	previewRequest,
	SEARCH_PATH,
	searchRequest,
	type Filters,
} from './contract/schemas';
import { matching, profiles, rowsOf } from './data/leads';
import { answer, charge, type Request } from './model';
import type { State } from './state';

const all = ['bearer:apiKey', 'bearer:sessionToken', 'xApiKey:apiKey'] as const;
type Admitted = (typeof all)[number];

/** An endpoint of the contract. All are POST. */
interface Endpoint {
	path: string;
	name: Request['endpoint'];
	/** In which header it takes which secrets; null when it asks for none and charges nothing. */
	admits: readonly Admitted[] | null;
	/** What is wrong with a body, if anything. */
	wrongIn: ReturnType<typeof checker>;
}

const wrongIn = (schema: object) => checker(schema, 'body');
export const endpoints: readonly Endpoint[] = [
	{ path: PREVIEW_PATH, name: 'preview', admits: null, wrongIn: wrongIn(previewRequest) },
	{ path: SEARCH_PATH, name: 'search', admits: [all[0]], wrongIn: wrongIn(searchRequest) },
	{ path: LOOKUP_PATH, name: 'lookUp', admits: all, wrongIn: wrongIn(lookupRequest) },
];

/** An answer, and the rows that it is charged for, which its body may not hold. */
export interface Served extends Answer {
	rows?: number[];
	charged?: number;
}

/**
 * Answers a request by the model and charges for it.
 * @param endpoint undefined for requests that are to none of them
 * @param mayBeReady whether an answer will do that is ready to be sent
 */
export function handle(
	{ anonymous, ready: kept }: State,
	endpoint: Endpoint | undefined,
	{ headerStyle, owner }: Credential,
	body: unknown,
	mayBeReady: boolean,
): Served {
	if (endpoint === undefined) return refusal(404, 'Not found');
	const { path, admits } = endpoint;
	if (admits === null) return serve(endpoint, body, anonymous, Infinity);
	if (!owner || !headerStyle || !admits.some((one) => one === `${headerStyle}:${owner.secret}`))
		return refusal(401, 'Missing or invalid credentials');

	const { account, balance } = owner;
	// An account that is treated in a way of its own gets no answer kept for others.
	const isPlain = Object.keys(account.behaviour).every((name) => name === 'limits');
	const ready = mayBeReady && isPlain ? kept : undefined;
	const question = ready === undefined ? '' : textOf(path, body);
	let served = ready?.get(question);
	if (served?.charged === undefined || served.charged > account[balance]) {
		served = serve(endpoint, body, account.behaviour, account[balance]);
		// A balance that could have cut the page makes its answer unfit for others.
		if (served.rows !== undefined && account[balance] >= MOST_RESULTS)
			ready?.set(question, { ...served, body: Buffer.from(JSON.stringify(served.body)) });
	}
	pay(account, balance, served);
	return served;
}

function serve(
	{ name, wrongIn: wrongInBody }: Endpoint,
	body: unknown,
	{ leads, readings, deviation }: Behaviour,
	credits: number,
): Served {
	const wrong = wrongInBody(body);
	if (wrong !== undefined) return refusal(400, `Bad request: ${wrong}`);
	const leadsOf = (filters: Filters) => rowsOf(matching(filters).subarray(0, leads));
	const service = { readings, deviation, credits, leads: leadsOf, profiles };
	return answer(service, { endpoint: name, body } as Request);
}

function pay(account: Account, balance: Owner['balance'], { rows = [], charged = 0 }: Served) {
	const ledger = { credits: account[balance], charged: account.chargedLeads };
	charge(ledger, { rows, charged });
	account[balance] = ledger.credits;
	account.spent[balance] += charged;
}

/** The same text for questions whose fields differ in their order only. */
function textOf(path: string, question: unknown): string {
	const fields = Object.entries(Object(question) as object);
	return JSON.stringify([path, fields.sort(([one], [other]) => (one < other ? -1 : 1))]);
}
