/** A lead service for a test file, and a short way to run the node against it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	startService,
	type Account,
	type AccountOptions,
	type AddedFault,
	type FaultAction,
	type FaultMatch,
	type LeadService,
	type LoggedRequest,
} from '../../sandbox/service';
import { runNode, type NodeResult, type NodeRun } from './n8nCore';

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
	/** Has something go wrong with the requests of this account. */
	addFault(fault: FaultAction & Omit<FaultMatch, 'account'>): AddedFault;
}

/** Starts a service before the tests of a file and stops it after them. */
export function useService(): { readonly service: LeadService; customer: CustomerMaker } {
	let running: LeadService | undefined;
	const service = () => {
		if (!running) throw new Error('The service runs during tests only');
		return running;
	};
	beforeAll(async () => {
		running = await startService();
	});
	afterAll(async () => {
		const breaches = service().admin.schemaBreaches();
		await service().close();
		// An answer that leaves the contract would make every test above worthless.
		expect(breaches).toEqual([]);
	});
	return {
		get service() {
			return service();
		},
		customer: (options) => makeCustomer(service(), options),
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
			await run(
				{ resource: 'linkedInProfile', operation: 'buyProfiles', ...parameters },
				options,
			),
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
		addFault: (fault) => service.admin.addFault({ ...fault, account: account.id }),
	};
}

/** The LinkedIn URL of each item. */
export function urlsOf(items: NodeResult['items']): unknown[] {
	return jsonOf(items).map(({ linkedin_url }) => linkedin_url);
}

/** What hints warn of, without the one that says what the execution cost. */
export function warningsOf(hints: NodeResult['hints']): string[] {
	return hints.filter(({ type }) => type !== 'info').map(({ message }) => message);
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
