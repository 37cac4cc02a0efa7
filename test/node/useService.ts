/** Starts a lead service for a test file, and runs the node with it. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { LAST_RESPONSES_MS } from '../../nodes/LeadSearch/api/cancel';
import { startService, urlsMatching, type LeadService } from '../../sandbox/service';
import type { AccountOptions, FaultAction, FaultMatch, LoggedRequest } from '../../sandbox/service';
import { runNode, type NodeResult, type NodeRun } from './n8nCore';

/** A filter that matches 2,350 leads. */
export const iceland = { personLocationCountry: 'Iceland' };
/** A filter that the mock service ignores, so that its whole database matches. A paid search needs a filter. */
export const everywhere = { otherFilters: '{"company_size": ["any"]}' };
/** The LinkedIn URLs of the leads in Iceland, in the order of the list. */
export const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });
export const first = (count: number) => icelandUrls.slice(0, count);

export const continueOnError = { onError: 'continueRegularOutput' } as const;
export const production = { mode: 'trigger' } as const;
/** Creates IDs for an execution. Runs with the same IDs are rounds of a loop, or calls of an agent. */
export const createExecutionIds = () => ({ nodeId: randomUUID(), executionId: randomUUID() });

export const byCountry = { personLocationCountry: '={{ $json.country }}' };

export type Fault = FaultAction & Omit<FaultMatch, 'account'>;

export const status = (code: number, more: object = {}): Fault => ({
	kind: 'status',
	status: code,
	...more,
});
export const merge = (fields: Record<string, unknown>): Fault => ({ kind: 'merge', merge: fields });
export const raw = (body: string): Fault => status(200, { body });

export interface Setup extends AccountOptions {
	faults?: Fault[];
}

export interface RunOptions extends Omit<NodeRun, 'parameters' | 'credential'> {
	credential?: Partial<NonNullable<NodeRun['credential']>>;
}

type Run = (parameters?: INodeParameters, options?: RunOptions) => Promise<Outcome>;
type LookUpParts = [more?: RunOptions, options?: INodeParameters, parameters?: INodeParameters];
export type Outcome = NodeResult & ReturnType<typeof readRun>;
export type Customer = ReturnType<typeof createCustomer>;

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
		customer: (setup?: Setup) => createCustomer(service(), setup),
		node: (setup?: Setup) => {
			const nodeId = randomUUID();
			return { ...createCustomer(service(), setup, nodeId), nodeId };
		},
	};
}

function createCustomer(
	{ admin, baseUrl }: LeadService,
	{ faults = [], ...options }: Setup = {},
	nodeId?: string,
) {
	const account = admin.createAccount(options);
	const { id, apiKey, spent } = account;
	const { length: before } = admin.requests();
	/** The requests of the account. If it sent none, the requests without a credential since its creation. */
	const requests = (): LoggedRequest[] => {
		const own = admin.requests({ account: id });
		const others = () => admin.requests().slice(before);
		return own.length > 0 ? own : others().filter(({ account: sender }) => sender === null);
	};
	const run = async (wanted: NodeRun): Promise<Outcome> => {
		const given = { credentialId: id, ...(nodeId !== undefined && { nodeId }) };
		const result = await runNode({ ...given, ...wanted });
		// The result is inherited, because Jest would copy its own properties when an expectation fails.
		const inherited = Object.create(result) as NodeResult;
		return Object.assign(inherited, readRun(result, requests(), spent.apiCredits));
	};
	const paid =
		(preset: INodeParameters): Run =>
		async (parameters, more) => {
			const credential = { baseUrl, apiKey, ...more?.credential };
			return await run({ parameters: { ...preset, ...parameters }, ...more, credential });
		};
	const free =
		(operation: string): Run =>
		async (parameters, more) => {
			const all = { resource: 'lead', operation, baseUrl, ...parameters };
			return await run({ parameters: all, ...more, credential: undefined });
		};
	const search = paid({ resource: 'lead', operation: 'buyLeads', filters: iceland });
	const lookUp = paid({ resource: 'linkedInProfile', operation: 'buyProfiles' });
	const lookUpAll = async (
		urls: readonly string[],
		...[more, lookUpOptions, parameters]: LookUpParts
	) => {
		const options = { onlyWithEmails: false, ...lookUpOptions };
		return await lookUp({ linkedinUrls: urls.join('\n'), options, ...parameters }, more);
	};
	const addFault = (fault: Fault) => admin.addFault({ ...fault, account: id });
	faults.forEach(addFault);
	return {
		account,
		/** Searches in Iceland, unless other filters are given. */
		search,
		/** Searches with an input item per country. An item without a country fails. */
		searchIn: async (
			names: ReadonlyArray<string | undefined>,
			parameters?: INodeParameters,
			more?: RunOptions,
		) => {
			const input = names.map((country) => ({ country }));
			return await search({ filters: byCountry, ...parameters }, { input, ...more });
		},
		lookUp,
		/** Looks up profiles with and without an email. */
		lookUpAll,
		/** Looks up profiles with and without an email, with an input item per URL. */
		lookUpEach: async (urls: readonly string[], ...[more, options, parameters]: LookUpParts) => {
			const input = urls.map((url, item) => ({ url, item }));
			const linkedinUrls = '={{ $json.url }}';
			return await lookUpAll([], { input, ...more }, options, { linkedinUrls, ...parameters });
		},
		preview: free('preview'),
		count: free('count'),
		requests,
		spent: () => spent.apiCredits,
		topUp: (apiCredits = 10_000) => {
			admin.setCredits(id, { apiCredits });
		},
		addFault,
		/** @returns a function that removes the faults */
		addFaults: (drawn: ReadonlyArray<{ nthRequest: number; fault: FaultAction }>) => {
			const added = drawn.map(({ nthRequest, fault }) => addFault({ ...fault, nthRequest }));
			return () => {
				for (const one of added) one.remove();
			};
		},
		waitForPage: async (page: number) =>
			await admin.waitForRequest((request) => request.account === id && request.page === page),
	};
}

export const pairsOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }): unknown =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem,
	);

function readRun(result: NodeResult, sent: LoggedRequest[], spent: number) {
	const { items, outputs, hints, error, run } = result;
	const json = items.map((item) => item.json);
	const errorOutput = (outputs[1] ?? []).map((item) => item.json);
	const isError = ({ error }: IDataObject) => error !== undefined;
	const linesOfHints = (wanted: string) =>
		hints.filter(({ type }) => type === wanted).map(({ message }) => message.split('<br>'));
	const [infos = [], ...otherInfos] = linesOfHints('info');
	const [warnings = [], ...otherWarnings] = linesOfHints('warning');
	// The editor shows a box per hint, so a run has at most one hint about costs and one with warnings.
	expect([...otherInfos, ...otherWarnings]).toEqual([]);
	return {
		json,
		/** LinkedIn URLs of the items that aren't error items. */
		urls: json.filter((one) => !isError(one)).map(({ linkedin_url }) => linkedin_url) as unknown[],
		/** JSON of the error items of all outputs. */
		errors: [...json, ...errorOutput].filter(isError),
		pairs: pairsOf(items),
		/** Lines of the hint that says what the execution cost and reused. */
		infos,
		warnings,
		/** The cost that the run wrote into the custom data of the execution. */
		customData: Object.values(run.data.resultData.metadata ?? {})[0],
		pages: sent.map(({ page }): unknown => page),
		sizes: sent.map(({ perPage }): unknown => perPage),
		spent,
		message: error?.message,
		description: error?.description ?? undefined,
	};
}

/** Sets the clock forward. Later calls add up, and the end of the test restores the clock. */
export function letMinutesPass(minutes: number) {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
}

/** Sets how long a cancelled run waits for its last responses. The end of the test restores the default. */
export function setLastResponseWait(milliseconds: number) {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout(ms === LAST_RESPONSES_MS ? milliseconds : ms));
}

export const lossMessage = (credits: string) =>
	`1 response was lost or could not be used; up to ${credits} may have been charged.`;

/** Returns Jest's matcher typed as a string. */
export const containing = (text: string) => expect.stringContaining(text) as string;
export const matching = (text: RegExp) => expect.stringMatching(text) as string;
