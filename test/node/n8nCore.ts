/**
 * Runs workflows on n8n-core: its WorkflowExecute, its encryption of credentials and its HTTP
 * helpers. Two seams that n8n-core leaves to its host are filled here: where node types come from,
 * and where credentials are kept (n8n-workflow's ICredentialsHelper).
 */
import { randomUUID } from 'node:crypto';

import { Container } from '@n8n/di';
import {
	Cipher,
	Credentials,
	EncryptionKeyProxy,
	ExecutionLifecycleHooks,
	InstanceSettings,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteContextData,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
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

/** Values of the credential, as a user types them. */
export interface CredentialValues {
	baseUrl: string;
	authentication?: string;
	apiKey?: string;
	sessionToken?: string;
	creditCeiling?: unknown;
}

/** A workflow of two nodes: one that hands over items, and Lead Search. */
export interface NodeRun {
	parameters: INodeParameters;
	credential?: CredentialValues;
	/** Input items; a single empty one unless given. */
	input?: IDataObject[];
	onError?: OnError;
	/** Cancels the execution when the promise resolves. */
	cancelWhen?: Promise<unknown>;
	/** The node's id; one of its own unless given. */
	nodeId?: string;
	/** The execution's id; one of its own unless given. Runs with the same one are those of a loop, or calls of an agent. */
	executionId?: string;
	workflowId?: string;
	credentialId?: string;
	/** How the workflow is run; by hand unless given. */
	mode?: WorkflowExecuteMode;
	/** What n8n has saved of an execution that is retried. */
	retryOf?: NodeResult;
	/** Retry On Fail, with so many tries. */
	maxTries?: number;
	/** Whether an AI agent runs it: n8n gives the node's tool a type of its own. */
	asTool?: boolean;
}

/** What came of it. */
export interface NodeResult {
	/** Items of each output. */
	outputs: INodeExecutionData[][];
	/** Items on the first output. */
	items: INodeExecutionData[];
	/** Items on the output behind it: with On Error set to it, the error output. */
	errorItems: INodeExecutionData[];
	/** The error that ended the workflow. */
	error?: {
		message: string;
		description?: string | null;
		httpCode?: string | null;
		name: string;
	};
	hints: NodeExecutionHint[];
	run: IRun;
	/** Everything that n8n would save of this execution, as text. */
	saved: string;
}

// n8n hands its encryption key to n8n-core when it starts; here the instance's own key is the one.
const key = {
	id: 'instance',
	value: Container.get(Cipher).encryptDEKWithInstanceKey(
		Container.get(InstanceSettings).encryptionKey,
	),
	algorithm: 'aes-256-cbc' as const,
	format: 'no-prefix' as const,
};
Container.get(EncryptionKeyProxy).setProvider({
	getActiveKey: async () => await Promise.resolve(key),
	getKeyById: async () => await Promise.resolve(key),
	getLegacyKey: async () => await Promise.resolve(key),
});

export const CREDENTIAL = { id: '1', name: 'Lead Search account' };

/** Keeps one credential, encrypted by n8n-core, and authenticates as n8n does. */
export class CredentialStore extends ICredentialsHelper {
	private readonly type = new LeadSearchApi();
	private readonly stored = new Credentials(CREDENTIAL, this.type.name);

	async keep(values: CredentialValues): Promise<void> {
		await this.stored.setData({ ...values } as ICredentialDataDecryptedObject);
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, request);
	}

	preAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	runPreAuthentication(): Promise<undefined> {
		return Promise.resolve(undefined);
	}

	async getCredentials(): Promise<Credentials> {
		return await Promise.resolve(this.stored);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return await this.stored.getData();
	}

	async updateCredentials(
		_details: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.stored.setData(data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		await Promise.resolve();
	}

	getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}
}

/** Hands over the items of a run. */
class Start implements INodeType {
	description = {
		displayName: 'Start',
		name: 'start',
		group: ['trigger' as const],
		version: 1,
		description: 'Hands over items',
		defaults: { name: 'Start' },
		inputs: [],
		outputs: ['main' as const],
		properties: [],
	};

	constructor(private readonly items: IDataObject[]) {}

	execute = async (): Promise<INodeExecutionData[][]> =>
		await Promise.resolve([this.items.map((json) => ({ json }))]);
}

/** Runs Lead Search as n8n does, and hands back what n8n keeps of it. */
export async function runNode(wanted: NodeRun): Promise<NodeResult> {
	const types: Record<string, INodeType> = {
		start: new Start(wanted.input ?? [{}]),
		leadSearch: new LeadSearch(),
		leadSearchTool: new LeadSearch(),
	};
	const nodeTypes: INodeTypes = {
		getByName: (name) => typeNamed(types, name),
		getByNameAndVersion: (name) => typeNamed(types, name),
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: wanted.nodeId ?? randomUUID(),
		name: 'Lead Search',
		type: wanted.asTool ? 'leadSearchTool' : 'leadSearch',
		typeVersion: 1,
		position: [200, 0],
		parameters: wanted.parameters,
		...(wanted.credential && {
			credentials: {
				leadSearchApi: { ...CREDENTIAL, id: wanted.credentialId ?? CREDENTIAL.id },
			},
		}),
		...(wanted.maxTries !== undefined && {
			retryOnFail: true,
			maxTries: wanted.maxTries,
			// n8n takes 0 for its default of one second.
			waitBetweenTries: 1,
		}),
		...(wanted.onError && { onError: wanted.onError }),
	};
	const start: INode = {
		id: randomUUID(),
		name: 'Start',
		type: 'start',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const workflow = new Workflow({
		id: wanted.workflowId ?? 'test',
		name: 'Test',
		nodes: [start, node],
		connections: { Start: { main: [[{ node: 'Lead Search', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes,
	});
	const store = new CredentialStore();
	if (wanted.credential) await store.keep(wanted.credential);

	const executionId = wanted.executionId ?? randomUUID();
	const executor = new WorkflowExecute(
		additionalData(store, executionId),
		wanted.mode ?? 'manual',
		wanted.retryOf ? retried(wanted.retryOf) : begun(executionId, start),
	);
	const execution = executor.processRunExecutionData(workflow);
	void wanted.cancelWhen?.then(() => {
		execution.cancel();
	});
	return resultOf(await execution);
}

/** What nodes keep in the data of executions, by execution. */
const contexts = new Map<string, IExecuteContextData>();

/** The data that a run starts from; what its node keeps there is that of its whole execution. */
function begun(executionId: string, node: INode): IRunExecutionData {
	const contextData = contexts.get(executionId) ?? {};
	contexts.set(executionId, contextData);
	const nodeExecutionStack = [{ node, data: { main: [[{ json: {} }]] }, source: null }];
	return createRunExecutionData({ executionData: { contextData, nodeExecutionStack } });
}

/** The data that n8n's Retry starts from: as saved, with the node that failed to be run again. */
function retried({ run }: NodeResult): IRunExecutionData {
	const { data } = JSON.parse(JSON.stringify(run)) as IRun;
	const { resultData, executionData } = data;
	// As n8n's own Retry does.
	delete resultData.error;
	if (resultData.lastNodeExecuted !== undefined) {
		resultData.runData[resultData.lastNodeExecuted]?.pop();
	}
	if (executionData) executionData.waitingExecution = {};
	return data;
}

function typeNamed(types: Record<string, INodeType>, name: string): INodeType {
	const type = types[name];
	if (!type) throw new Error(`No node type ${name}`);
	return type;
}

function resultOf(run: IRun): NodeResult {
	const { resultData } = run.data;
	const task = resultData.runData['Lead Search']?.at(-1);
	const error = task?.error ?? resultData.error;
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		outputs,
		items: outputs[0] ?? [],
		errorItems: outputs[1] ?? [],
		...(error && { error }),
		hints: task?.hints ?? [],
		run,
		saved: JSON.stringify(run, errorsInFull),
	};
}

/** Message and stack of an error don't show in JSON by themselves; n8n saves them. */
function errorsInFull(_key: string, value: unknown): unknown {
	if (!(value instanceof Error)) return value;
	const { message, stack } = value;
	return Object.assign({}, value, { message, stack });
}

/** The part of n8n's host that an execution of these two nodes touches. */
export function additionalData(
	credentialsHelper: ICredentialsHelper,
	executionId = '1',
): IWorkflowExecuteAdditionalData {
	const workflowData = { id: 'test', name: 'Test', nodes: [], connections: {} };
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		executionId,
		currentNodeExecutionIndex: 0,
		hooks: new ExecutionLifecycleHooks(
			'manual',
			executionId,
			workflowData as unknown as IWorkflowBase,
		),
		variables: {},
		...Object.fromEntries(
			[
				'restApiUrl',
				'instanceBaseUrl',
				'formBaseUrl',
				'formWaitingBaseUrl',
				'formTestBaseUrl',
				'webhookBaseUrl',
				'webhookWaitingBaseUrl',
				'webhookTestBaseUrl',
				'mcpBaseUrl',
				'mcpTestBaseUrl',
			].map((name) => [name, 'http://127.0.0.1/unused']),
		),
	};
	return data as IWorkflowExecuteAdditionalData;
}
