/**
 * Runs workflows on n8n-core, with its WorkflowExecute, its encryption of credentials and its HTTP helpers. This file
 * implements the two parts that n8n-core leaves to its host: the source of node types, and the storage of credentials
 * (n8n-workflow's ICredentialsHelper).
 */
import { randomUUID } from 'node:crypto';

import { Container } from '@n8n/di';
import { Cipher, Credentials, EncryptionKeyProxy, InstanceSettings } from 'n8n-core';
import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteContextData,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type OnError,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { LeadSearchApi } from '../../credentials/LeadSearchApi.credentials';
import { LeadSearch } from '../../nodes/LeadSearch/LeadSearch.node';

export interface CredentialValues {
	baseUrl: string;
	authentication?: string;
	apiKey?: string;
	sessionToken?: string;
	creditCeiling?: unknown;
}

/** A run of a workflow with two nodes: one that returns the input items, and Lead Search. IDs that aren't given are random. */
export interface NodeRun {
	parameters: INodeParameters;
	credential?: CredentialValues;
	credentialId?: string;
	/** The name of the credential in the workflow. Without one, no message names the credential. */
	credentialName?: string;
	/** The input items. The default is a single empty item. */
	input?: IDataObject[];
	onError?: OnError;
	cancelWhen?: Promise<unknown>;
	beforeRequest?: () => Promise<void>;
	nodeId?: string;
	/** The ID of the execution. Runs with the same ID are rounds of a loop, or calls of an agent. */
	executionId?: string;
	workflowId?: string;
	mode?: WorkflowExecuteMode;
	/** The result of the execution that this run retries. */
	retryOf?: NodeResult;
	maxTries?: number;
	alwaysOutputData?: boolean;
	/** Whether the workflow has a connection back to its start. It starts at an output that gets no items. */
	inLoop?: boolean;
	/** Whether an AI agent runs the node. n8n gives tools a node type of their own. */
	asTool?: boolean;
}

export interface NodeResult {
	outputs: INodeExecutionData[][];
	items: INodeExecutionData[];
	error?: { message: string; name: string; description?: string | null; httpCode?: string | null };
	hints: NodeExecutionHint[];
	run: IRun;
	/** The JSON that n8n would save of this execution. */
	saved: string;
}

// n8n passes its encryption key to n8n-core when it starts. The tests use the key of the instance.
export const { encryptionKey, instanceId } = Container.get(InstanceSettings);
const value = Container.get(Cipher).encryptDEKWithInstanceKey(encryptionKey);
const key = { id: 'instance', value, algorithm: 'aes-256-cbc', format: 'no-prefix' } as const;
const getKey = async () => await Promise.resolve(key);
const provider = { getActiveKey: getKey, getKeyById: getKey, getLegacyKey: getKey };
Container.get(EncryptionKeyProxy).setProvider(provider);

export const CREDENTIAL = { id: '1', name: 'Lead Search account' };

/** Saves one credential, encrypted by n8n-core, and authenticates requests as n8n does. */
export class CredentialStore extends ICredentialsHelper {
	private readonly type = new LeadSearchApi();
	private readonly stored = new Credentials(CREDENTIAL, this.type.name);

	/** @param beforeRequest a function that each request waits for */
	constructor(private readonly beforeRequest = () => Promise.resolve()) {
		super();
	}

	async save(values: CredentialValues): Promise<void> {
		await this.stored.setData({ ...values } as ICredentialDataDecryptedObject);
	}

	getParentTypes = (): string[] => [];
	isCredentialUsableByNode = (): boolean => true;
	preAuthentication = (): Promise<undefined> => Promise.resolve(undefined);
	runPreAuthentication = this.preAuthentication;
	getCredentials = async (): Promise<Credentials> => await Promise.resolve(this.stored);

	/** Returns the credential with defaults, as n8n does. Expressions are resolved for the input item, but not for a poll. */
	async getDecrypted(...args: Parameters<ICredentialsHelper['getDecrypted']>) {
		const [, , , mode, executeData, , values] = args;
		const stored = (await this.stored.getData()) as INodeParameters;
		const asWritten = [this.type.properties, stored, true, false, null, null] as const;
		const data = NodeHelpers.getNodeParameters(...asWritten) ?? {};
		if (!values) return data as ICredentialDataDecryptedObject;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			...([data, runExecutionData, runIndex, itemIndex, node.name, connectionInputData] as const),
			...([mode, {}, executeData, false, data] as const),
		) as ICredentialDataDecryptedObject;
	}

	updateCredentials = this.preAuthentication;
	updateCredentialsOauthTokenData = this.updateCredentials;
	getCredentialsProperties = (): INodeProperties[] => this.type.properties;

	authenticate: ICredentialsHelper['authenticate'] = async (credentials, _type, request) => {
		await this.beforeRequest();
		return await this.type.authenticate(credentials, request as IHttpRequestOptions);
	};
}

const createStartNode = (items: IDataObject[]): INodeType => ({
	description: {
		displayName: 'Start',
		name: 'start',
		description: 'Hands over items',
		version: 1,
		group: ['trigger'],
		defaults: { name: 'Start' },
		properties: [],
		inputs: [],
		outputs: ['main'],
	},
	execute: async () => await Promise.resolve([items.map((json) => ({ json }))]),
});

export async function runNode({
	parameters,
	credential,
	input = [{}],
	executionId = randomUUID(),
	...others
}: NodeRun): Promise<NodeResult> {
	const { maxTries, onError, credentialId = randomUUID(), retryOf, mode = 'manual' } = others;
	const { credentialName: name = '' } = others;
	const node: INode = {
		...createNode('Lead Search', others.asTool ? 'leadSearchTool' : 'leadSearch', parameters),
		...(others.nodeId !== undefined && { id: others.nodeId }),
		...(credential && { credentials: { leadSearchApi: { id: credentialId, name } } }),
		// A 0 would mean n8n's default of one second.
		...(maxTries !== undefined && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
		...(onError && { onError }),
		...(others.alwaysOutputData && { alwaysOutputData: true }),
	};
	const start = createNode('Start', 'start');
	const leadSearch = new LeadSearch();
	const toolDescription = { ...leadSearch.description, name: 'leadSearchTool' };
	const leadSearchTool = Object.assign(new LeadSearch(), { description: toolDescription });
	const workflow = new Workflow({
		id: others.workflowId ?? 'test',
		nodes: [start, node],
		connections: {
			Start: { main: [[{ node: 'Lead Search', type: 'main', index: 0 }]] },
			...(others.inLoop && {
				'Lead Search': { main: [[], [{ node: 'Start', type: 'main', index: 0 }]] },
			}),
		},
		active: false,
		nodeTypes: nodeTypes({ start: createStartNode(input), leadSearch, leadSearchTool }),
	});
	const store = new CredentialStore(others.beforeRequest);
	if (credential) await store.save(credential);
	const data = retryOf ? createRetryData(retryOf) : createInitialData(executionId, start);
	const executor = new WorkflowExecute(additionalData(store, executionId), mode, data);
	const execution = executor.processRunExecutionData(workflow);
	void others.cancelWhen?.then(() => {
		execution.cancel();
	});
	return resultOf(await execution);
}

const contexts = new Map<string, IExecuteContextData>();

/** Sets what all nodes of an execution share, as another version of the package has saved it. */
export function setSharedData(executionId: string, flow: IDataObject): void {
	contexts.set(executionId, { flow });
}

/** Creates the data that a run starts from. All runs of an execution share its context data. */
function createInitialData(executionId: string, node: INode): IRunExecutionData {
	const contextData = contexts.get(executionId) ?? {};
	contexts.set(executionId, contextData);
	const nodeExecutionStack = [{ node, data: { main: [[{ json: {} }]] }, source: null }];
	return createRunExecutionData({ executionData: { contextData, nodeExecutionStack } });
}

/** Creates the data that n8n's Retry starts from: the saved data, in which the failed node is to be run again. */
function createRetryData({ run }: NodeResult): IRunExecutionData {
	const { data } = JSON.parse(JSON.stringify(run)) as IRun;
	const { resultData, executionData } = data;
	delete resultData.error;
	if (resultData.lastNodeExecuted !== undefined) {
		resultData.runData[resultData.lastNodeExecuted]?.pop();
	}
	if (executionData) executionData.waitingExecution = {};
	return data;
}

export function createNode(name: string, type: string, parameters: INodeParameters = {}): INode {
	return { id: randomUUID(), name, type, typeVersion: 1, position: [0, 0], parameters };
}

export function nodeTypes(types: Record<string, INodeType>): INodeTypes {
	const named = (name: string) => {
		const type = types[name];
		if (!type) throw new Error(`No node type ${name}`);
		return type;
	};
	return { getByName: named, getByNameAndVersion: named, getKnownTypes: () => ({}) };
}

function resultOf(run: IRun): NodeResult {
	const { resultData } = run.data;
	const task = resultData.runData['Lead Search']?.at(-1);
	const error = task?.error ?? resultData.error;
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		outputs,
		items: outputs[0] ?? [],
		...(error && { error }),
		hints: task?.hints ?? [],
		run,
		saved: JSON.stringify(run, (_key, value: unknown) => {
			if (!(value instanceof Error)) return value;
			// n8n saves these two properties, but JSON leaves them out because they aren't enumerable.
			const { message, stack } = value;
			return Object.assign({}, value, { message, stack });
		}),
	};
}

/** Returns the parts of n8n's host that an execution of these two nodes uses. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	executionId = '1',
): IWorkflowExecuteAdditionalData {
	const workflow = { id: 'test', name: 'Test', nodes: [], connections: {} } as unknown;
	const hooks = new ExecutionLifecycleHooks('manual', executionId, workflow as IWorkflowBase);
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		executionId,
		hooks,
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookWaitingBaseUrl: 'http://127.0.0.1/unused',
		formWaitingBaseUrl: 'http://127.0.0.1/unused',
	};
	return data as IWorkflowExecuteAdditionalData;
}
