/** A lead service for a test file, and a short way to run the node against it. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

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

/** What differs from a plain run with the account's API key. */
export interface RunOptions extends Omit<NodeRun, 'parameters' | 'credential'> {
	credential?: Partial<NonNullable<NodeRun['credential']>>;
}

/** An account of its own, and the node run with its key. */
export interface Customer {
	account: Account;
	search(parameters?: INodeParameters, options?: RunOptions): Promise<NodeResult>;
	lookUp(parameters: INodeParameters, options?: RunOptions): Promise<NodeResult>;
	preview(parameters?: INodeParameters, options?: RunOptions): Promise<NodeResult>;
	count(parameters?: INodeParameters, options?: RunOptions): Promise<NodeResult>;
	requests(): LoggedRequest[];
	/** API credits spent so far. */
	spent(): number;
	topUp(): void;
	/** Has something go wrong with the requests of this account. */
	addFault(fault: FaultAction & Omit<FaultMatch, 'account'>): AddedFault;
}

interface SharedService {
	readonly service: LeadService;
	customer: CustomerMaker;
	/** One node of a workflow, to be run more than once. */
	node: (account?: AccountOptions) => CustomerNode;
}

/** Starts a service before the tests of a file and stops it after them. */
export function useService(): SharedService {
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
		customer: (options) => makeCustomer(service(), options),
		node: (options) => makeNode(makeCustomer(service(), options)),
	};
}

type CustomerMaker = (options?: AccountOptions) => Customer;

function makeCustomer(service: LeadService, accountOptions?: AccountOptions): Customer {
	const account = service.admin.createAccount(accountOptions);
	const run = async (parameters: INodeParameters, options: RunOptions = {}) =>
		await runNode({
			parameters,
			...options,
			credential: { baseUrl: service.baseUrl, apiKey: account.apiKey, ...options.credential },
		});
	const previewFrom = service.admin.requests().length;
	const runFree = async (
		operation: 'count' | 'preview',
		parameters: INodeParameters = {},
		options: RunOptions = {},
	) =>
		await runNode({
			parameters: { resource: 'lead', operation, baseUrl: service.baseUrl, ...parameters },
			...options,
			credential: undefined,
		});
	return {
		account,
		search: async (parameters, options) =>
			await run({ resource: 'lead', operation: 'buyLeads', ...parameters }, options),
		lookUp: async (parameters, options) =>
			await run({ resource: 'linkedInProfile', operation: 'buyProfiles', ...parameters }, options),
		preview: async (parameters, options) => await runFree('preview', parameters, options),
		count: async (parameters, options) => await runFree('count', parameters, options),
		requests: () => {
			const own = service.admin.requests({ account: account.id });
			return own.length > 0
				? own
				: service.admin
						.requests()
						.slice(previewFrom)
						.filter(({ account: id }) => id === null);
		},
		spent: () => account.spent.apiCredits,
		topUp: () => {
			service.admin.setCredits(account.id, { apiCredits: 10_000 });
		},
		addFault: (fault) => service.admin.addFault({ ...fault, account: account.id }),
	};
}

export interface CustomerNode extends Customer {
	nodeId: string;
	/** Looks profiles up, those without an email too. */
	lookUpAll(
		urls: readonly string[],
		run?: RunOptions,
		options?: INodeParameters,
		parameters?: INodeParameters,
	): Promise<NodeResult>;
}

function makeNode(buyer: Customer): CustomerNode {
	const nodeId = randomUUID();
	return {
		...buyer,
		nodeId,
		search: async (parameters, run) =>
			await buyer.search({ filters: iceland, ...parameters }, { nodeId, ...run }),
		lookUp: async (parameters, run) => await buyer.lookUp(parameters, { nodeId, ...run }),
		lookUpAll: async (urls, run, options, parameters) =>
			await buyer.lookUp(
				{
					linkedinUrls: urls.join('\n'),
					options: { onlyWithEmails: false, ...options },
					...parameters,
				},
				{ nodeId, ...run },
			),
	};
}

/** The LinkedIn URL of each item. */
export function urlsOf(items: NodeResult['items']): unknown[] {
	return jsonOf(items).map(({ linkedin_url }) => linkedin_url);
}

/** What hints warn of, without those that say what the execution cost and reused. */
export function warningsOf({ hints }: NodeResult): string[] {
	return hints.filter(({ type }) => type !== 'info').map(({ message }) => message);
}

/** What hints say of cost and reuse. */
export function infosOf({ hints }: NodeResult): string[] {
	return hints.filter(({ type }) => type === 'info').map(({ message }) => message);
}

/** The JSON of items, for expectations. */
export function jsonOf(items: NodeResult['items']): IDataObject[] {
	return items.map(({ json }) => json);
}

/** The input items that output items are paired with. */
export function pairsOf(items: NodeResult['items']): unknown[] {
	return items.map(({ pairedItem }) =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem,
	);
}

/** Until the end of the test. */
export function letMinutesPass(minutes: number) {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
}
