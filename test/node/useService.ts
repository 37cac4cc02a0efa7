/** A lead service for a test file, and a short way to run the node against it. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { LAST_RESPONSES_MS } from '../../nodes/LeadSearch/api/cancel';
import { lossesByService } from '../../nodes/LeadSearch/cache/lossHistory';
import { startService, urlsMatching, type LeadService } from '../../sandbox/service';
import type { AccountOptions, FaultAction, FaultMatch, LoggedRequest } from '../../sandbox/service';
import { runNode, type NodeResult, type NodeRun } from './n8nCore';

/** Selects 2,350 leads. */
export const iceland = { personLocationCountry: 'Iceland' };
/** Their LinkedIn URLs, in order. */
export const icelandUrls = urlsMatching({ person_location_country: ['Iceland'] });
export const first = (count: number) => icelandUrls.slice(0, count);

export const continueOnError = { onError: 'continueRegularOutput' } as const;
export const production = { mode: 'trigger' } as const;
/** Runs in it are those of a loop, or calls of an agent. */
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
		// The process remembers it of the service, which the tests of a file share.
		lossesByService.clear();
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
	/** Those of the account, or without any those that had no credential. */
	const requests = (): LoggedRequest[] => {
		const own = admin.requests({ account: id });
		const others = () => admin.requests().slice(before);
		return own.length > 0 ? own : others().filter(({ account: sender }) => sender === null);
	};
	const run = async (wanted: NodeRun): Promise<Outcome> => {
		const given = { credentialId: id, ...(nodeId !== undefined && { nodeId }) };
		const result = await runNode({ ...given, ...wanted });
		// Inherited, so that Jest does not copy all of it when an expectation fails.
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
		/** Searches in Iceland unless given other filters. */
		search,
		/** Searches in each of these countries, which are input items; one without a name fails. */
		searchIn: async (
			names: ReadonlyArray<string | undefined>,
			parameters?: INodeParameters,
			more?: RunOptions,
		) => {
			const input = names.map((country) => ({ country }));
			return await search({ filters: byCountry, ...parameters }, { input, ...more });
		},
		lookUp,
		/** Looks profiles up, those without an email too. */
		lookUpAll,
		/** The same of input items with a URL each. */
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
		/** @returns what takes them away */
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
	const isError = ({ error: told }: IDataObject) => told !== undefined;
	const boxes = (of: string) =>
		hints.filter(({ type }) => type === of).map(({ message }) => message.split('<br>'));
	const [infos = [], ...otherInfos] = boxes('info');
	const [warnings = [], ...otherWarnings] = boxes('warning');
	// Above every output: one box of costs, and one of what is wrong.
	expect([...otherInfos, ...otherWarnings]).toEqual([]);
	return {
		json,
		/** LinkedIn URLs of the items that aren't error items. */
		urls: json.filter((one) => !isError(one)).map(({ linkedin_url }) => linkedin_url) as unknown[],
		/** JSON of the error items, whichever output they are on. */
		errors: [...json, ...errorOutput].filter(isError),
		pairs: pairsOf(items),
		/** Lines that say what the execution cost and reused, and the others. */
		infos,
		warnings,
		/** The cost in the custom data of the execution. */
		told: Object.values(run.data.resultData.metadata ?? {})[0],
		pages: sent.map(({ page }): unknown => page),
		sizes: sent.map(({ perPage }): unknown => perPage),
		spent,
		message: error?.message,
		description: error?.description ?? undefined,
	};
}

/** Until the end of the test. */
export function letMinutesPass(minutes: number) {
	const now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now + minutes * 60_000);
}

/** Has a cancelled run wait so long for its last answers, in milliseconds, until the end of the test. */
export function setLastResponseWait(milliseconds: number) {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest
		.spyOn(AbortSignal, 'timeout')
		.mockImplementation((ms) => timeout(ms === LAST_RESPONSES_MS ? milliseconds : ms));
}

export const lossMessage = (credits: string) =>
	`1 response was lost or could not be used; up to ${credits} may have been charged.`;

/** So that an expectation of a text's part has a type. */
export const containing = (text: string) => expect.stringContaining(text) as string;
export const matching = (text: RegExp) => expect.stringMatching(text) as string;
