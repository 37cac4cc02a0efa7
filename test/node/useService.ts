/** A lead service for a test file, and a short way to run the node against it. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters, NodeExecutionHint } from 'n8n-workflow';

import {
	startService,
	urlsMatching,
	type Account,
	type AccountOptions,
	type AddedFault,
	type FaultAction,
	type FaultMatch,
	type LeadService,
	type LoggedRequest,
} from '../../sandbox/service';
import { runNode, type NodeResult, type NodeRun } from './n8nCore';

/** Selects 2,350 leads. */
export const iceland = { personLocationCountry: 'Iceland' };
/** Their LinkedIn URLs, in order. */
export const icelanders = urlsMatching({ person_location_country: ['Iceland'] });

export const continues = { onError: 'continueRegularOutput' } as const;
export const production = { mode: 'trigger' } as const;

/** A search for each input item, in the country that it names. */
export const byCountry = { personLocationCountry: '={{ $json.country }}' };
export const countries = (...names: string[]) => ({ input: names.map((country) => ({ country })) });

/** What goes wrong with the requests of an account. */
export type Fault = FaultAction & Omit<FaultMatch, 'account'>;

export const status = (code: number, more: object = {}): Fault => ({
	kind: 'status',
	status: code,
	...more,
});
export const merge = (fields: Record<string, unknown>): Fault => ({ kind: 'merge', merge: fields });
export const raw = (body: string): Fault => status(200, { body });

/** An account, and what goes wrong with its requests from the start. */
export interface Setup extends AccountOptions {
	faults?: Fault[];
}

/** What differs from a plain run with the account's API key. */
export interface RunOptions extends Omit<NodeRun, 'parameters' | 'credential'> {
	credential?: Partial<NonNullable<NodeRun['credential']>>;
}

/** What came of a run, and what its account has asked and spent by then. */
export interface Outcome extends NodeResult {
	/** JSON of the items on the first output. */
	json: IDataObject[];
	/** LinkedIn URLs of those that are no error items. */
	urls: unknown[];
	/** JSON of the error items, whichever output they are on. */
	errors: IDataObject[];
	/** Input items that the items on the first output are paired with. */
	pairs: unknown[];
	/** Hints, without those that say what the execution cost and reused; and these. */
	warnings: string[];
	infos: string[];
	/** The cost in the custom data of the execution. */
	told: string | undefined;
	/** Pages, and their sizes, of all requests. */
	pages: unknown[];
	sizes: unknown[];
	/** API credits. */
	spent: number;
	/** Of the error that ended the workflow. */
	message: string | undefined;
	description: string | undefined;
}

/** Runs one operation. */
type Run = (parameters?: INodeParameters, options?: RunOptions) => Promise<Outcome>;

/** An account of its own, and the node run with its key. */
export interface Customer {
	account: Account;
	/** Searches in Iceland unless given other filters. */
	search: Run;
	lookUp: Run;
	/** Looks profiles up, those without an email too. */
	lookUpAll: (
		urls: readonly string[],
		run?: RunOptions,
		options?: INodeParameters,
		parameters?: INodeParameters,
	) => Promise<Outcome>;
	preview: Run;
	count: Run;
	requests: () => LoggedRequest[];
	/** API credits spent so far. */
	spent: () => number;
	topUp: () => void;
	/** Has something go wrong with the requests of this account. */
	addFault: (fault: Fault) => AddedFault;
	/** Resolves when a page is asked for. */
	whenPage: (page: number) => Promise<unknown>;
}

/** Starts a service before the tests of a file and stops it after them. */
export function useService() {
	let running: LeadService | undefined;
	const service = () => {
		if (!running) throw new Error('The service runs during tests only');
		return running;
	};
	beforeAll(async () => {
		running = await startService();
	});
	afterEach(() => {
		jest.restoreAllMocks();
		service().admin.clearFaults();
		service().admin.setPreviewBehaviour({});
	});
	afterAll(async () => {
		await service().close();
	});
	return {
		get service() {
			return service();
		},
		customer: (setup?: Setup) => makeCustomer(service(), setup),
		/** One node of a workflow, to be run more than once. */
		node: (setup?: Setup) => {
			const nodeId = randomUUID();
			return { ...makeCustomer(service(), setup, nodeId), nodeId };
		},
	};
}

function makeCustomer(
	{ admin, baseUrl }: LeadService,
	{ faults = [], ...options }: Setup = {},
	nodeId?: string,
): Customer {
	const account = admin.createAccount(options);
	const { id, apiKey, spent } = account;
	const { length: before } = admin.requests();
	const requests = () => {
		const own = admin.requests({ account: id });
		if (own.length > 0) return own;
		return admin
			.requests()
			.slice(before)
			.filter(({ account: sender }) => sender === null);
	};
	const run = async (wanted: NodeRun): Promise<Outcome> => {
		const result = await runNode({ ...(nodeId !== undefined && { nodeId }), ...wanted });
		const sent = requests();
		// Inherited, so that Jest does not copy all of it when an expectation fails.
		return Object.assign(Object.create(result) as NodeResult, {
			...readItems(result),
			...readHints(result.hints),
			told: Object.values(result.run.data.resultData.metadata ?? {})[0],
			pages: sent.map(({ page }) => page),
			sizes: sent.map(({ perPage }) => perPage),
			spent: spent.apiCredits,
			message: result.error?.message,
			description: result.error?.description ?? undefined,
		});
	};
	const paid =
		(preset: INodeParameters): Run =>
		async (parameters, more) =>
			await run({
				parameters: { ...preset, ...parameters },
				...more,
				credential: { baseUrl, apiKey, ...more?.credential },
			});
	const free =
		(operation: string): Run =>
		async (parameters, more) =>
			await run({
				parameters: { resource: 'lead', operation, baseUrl, ...parameters },
				...more,
				credential: undefined,
			});
	const lookUp = paid({ resource: 'linkedInProfile', operation: 'buyProfiles' });
	const addFault = (fault: Fault) => admin.addFault({ ...fault, account: id });
	faults.forEach(addFault);
	return {
		account,
		search: paid({ resource: 'lead', operation: 'buyLeads', filters: iceland }),
		lookUp,
		lookUpAll: async (urls, more, lookUpOptions, parameters) =>
			await lookUp(
				{
					linkedinUrls: urls.join('\n'),
					options: { onlyWithEmails: false, ...lookUpOptions },
					...parameters,
				},
				more,
			),
		preview: free('preview'),
		count: free('count'),
		requests,
		spent: () => spent.apiCredits,
		topUp: () => {
			admin.setCredits(id, { apiCredits: 10_000 });
		},
		addFault,
		whenPage: async (page) =>
			await admin.whenRequest((request) => request.account === id && request.page === page),
	};
}

function readItems({ items, errorItems }: NodeResult) {
	const json = items.map((item) => item.json);
	return {
		json,
		urls: json.flatMap(({ error, linkedin_url }) => (error === undefined ? [linkedin_url] : [])),
		errors: [...json, ...errorItems.map((item) => item.json)].filter(
			({ error }) => error !== undefined,
		),
		pairs: items.map(({ pairedItem }) =>
			typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem,
		),
	};
}

function readHints(hints: NodeExecutionHint[]) {
	const texts = (isInfo: boolean) =>
		hints.filter(({ type }) => (type === 'info') === isInfo).map(({ message }) => message);
	return { infos: texts(true), warnings: texts(false) };
}

/** Until the end of the test. */
export function letMinutesPass(minutes: number) {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
}

/** So that an expectation of a text's part has a type. */
export const containing = (text: string) => expect.stringContaining(text) as string;
export const matching = (text: RegExp) => expect.stringMatching(text) as string;
