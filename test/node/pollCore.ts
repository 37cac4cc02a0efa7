/** Polls Lead Search Trigger on n8n-core's PollContext, as n8n does. It also simulates restarts and publications. */
import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import { Workflow, type INode, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import type { IDataObject, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';

import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { keyOf, memories } from '../../nodes/LeadSearch/trigger/cursorStorage';
import { additionalData, CREDENTIAL, CredentialStore, instanceId } from './n8nCore';
import { createNode, nodeTypes, type CredentialValues } from './n8nCore';
import { iceland, type Setup, type useService } from './useService';

/** The time zone of workflows. It is so far from UTC that the date often differs. */
export const TIME_ZONE = 'Pacific/Auckland';

/** The copies of a cursor that n8n saves: one in the data of the node, one in the static data of the workflow. */
export interface CursorCopies {
	nodeCopy?: unknown;
	workflowCopy?: unknown;
}

export class PolledWorkflow {
	private workflow: Workflow;
	/** The context of the current publication. n8n uses it until the next publication. */
	private context?: PollContext;
	private activation: WorkflowActivateMode = 'activate';
	private readonly store = new CredentialStore();
	private readonly pendingErrors: Error[] = [];
	private readonly id = randomUUID();
	private identity = { id: 'trigger', name: 'Lead Search Trigger' };
	/** The node's data as n8n saves them with durable cursors. Undefined if durable cursors are off. */
	private durable?: IDataObject;

	readonly credentialId = this.id;
	/** The key under which the trigger saves its cursor. */
	readonly key = keyOf(instanceId, this.id);
	timeZone = TIME_ZONE;
	timeLimitMs = 300_000;
	/** Whether n8n saves the workflow's static data of a discarded poll, as it does if it rejects only the durable cursor. */
	isDiscardedDataSaved = false;

	/** The copies after the last poll, even if n8n then discards them. */
	savedCopies: CursorCopies = {};
	readonly warnings: string[] = [];
	readonly infos: string[] = [];
	/** The fields that are logged with each line, oldest first. */
	readonly logFields: unknown[] = [];
	/** The messages that polls reported to n8n as errors. Thrown errors aren't included. */
	readonly reportedErrors: string[] = [];

	private constructor(parameters: INodeParameters) {
		this.workflow = this.build(parameters, {});
	}

	static async create(parameters: INodeParameters, credential: CredentialValues) {
		const polled = new PolledWorkflow(parameters);
		await polled.store.save(credential);
		return polled;
	}

	/** Polls from now on as n8n does if its durable scheduler and durable cursors are on. */
	enableDurableCursors(): void {
		this.durable = {};
		// This is n8n's default, which applies only with the durable scheduler.
		this.timeLimitMs = 36_000;
	}

	private get staticData() {
		const nodeCopy = this.durable ?? this.workflow.getStaticData('node', this.node);
		return { nodeCopy, workflowCopy: this.workflow.getStaticData('global') };
	}

	copies(): CursorCopies {
		const { nodeCopy, workflowCopy } = this.staticData;
		return cloneAsJson({ nodeCopy: nodeCopy[this.key], workflowCopy: workflowCopy[this.key] });
	}

	/**
	 * @param copies copies of the cursor, which may be older or from another process
	 * @param key the key under which they are saved
	 */
	setCopies({ nodeCopy, workflowCopy }: CursorCopies, key = this.key): void {
		const { staticData } = this;
		staticData.nodeCopy[key] = structuredClone(nodeCopy) as IDataObject;
		staticData.workflowCopy[key] = structuredClone(workflowCopy) as IDataObject;
	}

	/** Renames the node or replaces it with another one. n8n saves static data by name and durable data by ID. */
	replace(identity: Partial<typeof this.identity>): void {
		this.identity = { ...this.identity, ...identity };
		if (this.durable && identity.id !== undefined) this.durable = {};
		this.publish();
	}

	/** Publishes the workflow, with other parameters if given. The mode is `activate` if it was unpublished before. */
	publish(
		parameters = this.parameters,
		mode: WorkflowActivateMode = 'update',
		staticData = this.saved(),
	): void {
		this.workflow = this.build(parameters, staticData);
		this.activation = mode;
		delete this.context;
	}

	/** Deletes the process's memory of the workflow. The data that n8n has saved remain. */
	clearMemory(mode: WorkflowActivateMode = 'update'): void {
		memories.delete(this.key);
		this.publish(undefined, mode);
	}

	/**
	 * Restarts n8n, which ends the process's memory of the workflow.
	 *
	 * @returns the leads of the poll at n8n's start; none with durable cursors, because n8n doesn't poll then
	 */
	async restart(): Promise<INodeExecutionData[]> {
		this.clearMemory(this.durable ? 'update' : 'init');
		return this.durable ? [] : await this.pollOnce();
	}

	/** Polls and discards the leads, as n8n does if the workflow is published before the poll ends. */
	async pollAndDiscard(): Promise<INodeExecutionData[]> {
		const before = this.saved();
		const { durable } = this;
		const leads = await this.poll();
		if (leads.length > 0) {
			this.durable &&= durable;
			this.publish(
				undefined,
				'update',
				durable && this.isDiscardedDataSaved ? this.saved() : before,
			);
		}
		return leads;
	}

	/**
	 * Polls as the schedule does. After an activation, the activation's own poll runs first.
	 *
	 * @param mode `manual` for "Fetch Test Event"
	 * @returns the delivered leads; errors that were reported with them are in `reportedErrors`
	 * @throws the error that the node threw, or that it reported without leads
	 */
	async poll(mode: WorkflowExecuteMode = 'trigger'): Promise<INodeExecutionData[]> {
		const needsActivationPoll = !this.context && !this.durable && mode !== 'manual';
		const leads = needsActivationPoll ? await this.pollOnce() : [];
		return leads.length > 0 ? leads : await this.pollOnce(mode);
	}

	/** @returns the leads of one poll; right after an activation, this is the activation's own poll */
	async pollOnce(mode: WorkflowExecuteMode = 'trigger'): Promise<INodeExecutionData[]> {
		const before = this.saved();
		const nodeCopy = structuredClone(this.durable);
		const context =
			nodeCopy || mode === 'manual'
				? this.createContext(mode, nodeCopy)
				: (this.context ??= this.createContext(mode));
		let leads: INodeExecutionData[] | undefined;
		try {
			leads = (await this.listenTo(context))?.[0];
			if (nodeCopy && mode !== 'manual') this.durable = nodeCopy;
		} finally {
			// n8n loads the workflow for every durable poll, and saves its static data only with leads.
			if (nodeCopy && !leads) Object.assign(this.workflow, { staticData: before });
		}
		const [error] = this.pendingErrors.splice(0);
		if (error && !leads) throw error;
		return leads ?? [];
	}

	private createContext(mode: WorkflowExecuteMode, nodeCopy?: IDataObject): PollContext {
		const activation = mode === 'manual' ? 'manual' : this.activation;
		// n8n's durable scheduler passes `update` to every poll except the one at publishing.
		if (nodeCopy && mode !== 'manual') this.activation = 'update';
		const report = (error: Error) => {
			this.pendingErrors.push(error);
			this.reportedErrors.push(error.message);
		};
		return new PollContext(
			...([this.workflow, this.node, additionalData(this.store), mode, activation] as const),
			...([undefined, report, undefined, undefined] as const),
			...([nodeCopy && (() => nodeCopy), () => this.timeLimitMs] as const),
		);
	}

	private async listenTo(context: PollContext): Promise<INodeExecutionData[][] | null> {
		const { infos: info, warnings: warn } = this;
		const spies = Object.entries({ info, warn }).map(([level, lines]) =>
			jest.spyOn(context.logger, level as 'info' | 'warn').mockImplementation((...[line, more]) => {
				lines.push(line);
				this.logFields.push(more);
			}),
		);
		try {
			return await new LeadSearchTrigger().poll.call(context);
		} finally {
			for (const spy of spies) spy.mockRestore();
			this.savedCopies = this.copies();
		}
	}

	/** @returns all static data of the workflow, as n8n saves them */
	saved(): IDataObject {
		return cloneAsJson(this.workflow.staticData);
	}

	private build(parameters: INodeParameters, staticData: IDataObject): Workflow {
		const { id, name } = this.identity;
		const credentials = { leadSearchApi: { ...CREDENTIAL, id: this.id } };
		return new Workflow({
			id: this.id,
			name: 'Polled',
			active: true,
			connections: {},
			staticData,
			nodes: [{ ...createNode(name, 'leadSearchTrigger', parameters), id, credentials }],
			nodeTypes: nodeTypes({ leadSearchTrigger: new LeadSearchTrigger() }),
			settings: { timezone: this.timeZone },
		});
	}

	get parameters(): INodeParameters {
		return this.node.parameters;
	}

	private get node(): INode {
		const [node] = Object.values(this.workflow.nodes);
		if (!node) throw new Error('The workflow has lost its trigger');
		return node;
	}
}

/** Copies a value by JSON, as n8n does to save it. */
const cloneAsJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function fakeDates(now = Date.now()): void {
	const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
	const others = ['nextTick', 'setImmediate', 'performance', 'queueMicrotask'] as const;
	jest.useFakeTimers({ now, doNotFake: [...timers, ...others] });
}

/** Creates an account and a workflow with a trigger that gets 20 leads in Iceland per poll. */
export async function createTrigger(
	{ service, customer: createCustomer }: ReturnType<typeof useService>,
	parameters: INodeParameters = {},
	{ creditCeiling = 0, ...setup }: Setup & { creditCeiling?: number } = {},
) {
	const customer = createCustomer(setup);
	const { id, apiKey } = customer.account;
	const completeParameters = (changed: INodeParameters) => ({
		filters: iceland,
		leadsPerPoll: 20,
		...changed,
	});
	const credential = { baseUrl: service.baseUrl, apiKey, creditCeiling };
	const workflow = await PolledWorkflow.create(completeParameters(parameters), credential);
	return {
		...customer,
		workflow,
		/** Creates a copy of the workflow with the same credential. */
		copy: async () => await PolledWorkflow.create(workflow.parameters, credential),
		poll: async (mode?: 'manual') =>
			(await workflow.poll(mode)).map(({ json }) => json.linkedin_url),
		publish: (changed: INodeParameters) => {
			workflow.publish(completeParameters(changed));
		},
		setLeadCount: (leads: number) => service.admin.setBehaviour(id, { leads }),
	};
}
