/** Polls Lead Search Trigger on n8n-core's PollContext, as n8n does, restarts and publications included. */
import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import { Workflow, type INode, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import type { IDataObject, WorkflowActivateMode, WorkflowExecuteMode } from 'n8n-workflow';

import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { keyOf, memories } from '../../nodes/LeadSearch/trigger/cursorStorage';
import { additionalData, CREDENTIAL, CredentialStore, instanceId } from './n8nCore';
import { createNode, nodeTypes, type CredentialValues } from './n8nCore';
import { iceland, type Setup, type useService } from './useService';

/** The time zone of workflows, far enough from others that a day in it is another one. */
export const TIME_ZONE = 'Pacific/Auckland';

/** What n8n keeps of a place. */
export interface CursorCopies {
	nodeCopy?: unknown;
	workflowCopy?: unknown;
}

export class PolledWorkflow {
	private workflow: Workflow;
	/** That of the publication, which lasts until the next one. */
	private context?: PollContext;
	private activation: WorkflowActivateMode = 'activate';
	private readonly store = new CredentialStore();
	private readonly reported: Error[] = [];
	private readonly id = randomUUID();
	private identity = { id: 'trigger', name: 'Lead Search Trigger' };
	/** The node's data as n8n keeps them with durable cursors on; undefined with them off. */
	private durable?: IDataObject;

	readonly credentialId = this.id;
	/** Under which n8n keeps the place. */
	readonly key = keyOf(instanceId, this.id);
	timeZone = TIME_ZONE;
	timeLimitMs = 300_000;
	/** Whether n8n saves the workflow's data of what it throws away, as where only its durable cursor is refused. */
	isDiscardedDataSaved = false;

	/** What n8n keeps after the last poll, or would have. */
	kept: CursorCopies = {};
	readonly warnings: string[] = [];
	readonly infos: string[] = [];
	/** What goes along with each line, oldest first. */
	readonly fields: unknown[] = [];
	/** What n8n was told as errors of polls; what a poll throws is not here. */
	readonly told: string[] = [];

	private constructor(parameters: INodeParameters) {
		this.workflow = this.build(parameters, {});
	}

	static async create(parameters: INodeParameters, credential: CredentialValues) {
		const polled = new PolledWorkflow(parameters);
		await polled.store.save(credential);
		return polled;
	}

	/** Polls from now on as n8n does with its durable scheduler and cursors on. */
	enableDurableCursors(): void {
		this.durable = {};
		// As n8n presets it, which sets no bound without.
		this.timeLimitMs = 36_000;
	}

	private get staticData() {
		const nodeCopy = this.durable ?? this.workflow.getStaticData('node', this.node);
		return { nodeCopy, workflowCopy: this.workflow.getStaticData('global') };
	}

	copies(): CursorCopies {
		const { nodeCopy, workflowCopy } = this.staticData;
		return plain({ nodeCopy: nodeCopy[this.key], workflowCopy: workflowCopy[this.key] });
	}

	/** @param copies of this workflow, perhaps from another n8n process @param key under which they stand */
	setCopies({ nodeCopy, workflowCopy }: CursorCopies, key = this.key): void {
		const { staticData } = this;
		staticData.nodeCopy[key] = structuredClone(nodeCopy) as IDataObject;
		staticData.workflowCopy[key] = structuredClone(workflowCopy) as IDataObject;
	}

	/** Renames the node, or puts another one in its place: n8n keeps static data by its name, durable ones by its id. */
	replace(identity: Partial<typeof this.identity>): void {
		this.identity = { ...this.identity, ...identity };
		if (this.durable && identity.id !== undefined) this.durable = {};
		this.publish();
	}

	/** Publishes the workflow, with other parameters if given; `activate` where it was unpublished before. */
	publish(
		parameters = this.parameters,
		mode: WorkflowActivateMode = 'update',
		staticData = this.saved(),
	): void {
		this.workflow = this.build(parameters, staticData);
		this.activation = mode;
		delete this.context;
	}

	/** Ends what a process remembers of the workflow, and keeps what n8n has saved. */
	clearMemory(mode: WorkflowActivateMode = 'update'): void {
		memories.delete(this.key);
		this.publish(undefined, mode);
	}

	/**
	 * Restarts n8n: what is remembered about a workflow ends with its process.
	 *
	 * @returns what n8n's poll at its start hands over; with durable cursors on there is none
	 */
	async restart(): Promise<INodeExecutionData[]> {
		this.clearMemory(this.durable ? 'update' : 'init');
		return this.durable ? [] : await this.pollOnce();
	}

	/** Polls, and throws the leads away as n8n does where the workflow is published before the poll ends. */
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
	 * Polls by the schedule; at an activation n8n has polled once before.
	 *
	 * @param mode `manual` for "Fetch Test Event"
	 * @returns the leads that were handed over; what was reported in addition is in `told`
	 * @throws what the node threw, or reported without any
	 */
	async poll(mode: WorkflowExecuteMode = 'trigger'): Promise<INodeExecutionData[]> {
		const owesOne = !this.context && !this.durable && mode !== 'manual';
		const leads = owesOne ? await this.pollOnce() : [];
		return leads.length > 0 ? leads : await this.pollOnce(mode);
	}

	/** @returns what one poll hands over; right after an activation it is the one that n8n makes then */
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
			// n8n loads the workflow for every durable poll, and saves its data with leads alone.
			if (nodeCopy && !leads) Object.assign(this.workflow, { staticData: before });
		}
		const [error] = this.reported.splice(0);
		if (error && !leads) throw error;
		return leads ?? [];
	}

	private createContext(mode: WorkflowExecuteMode, nodeCopy?: IDataObject): PollContext {
		const activation = mode === 'manual' ? 'manual' : this.activation;
		// As n8n's durable scheduler has it for every poll but the one at publishing.
		if (nodeCopy && mode !== 'manual') this.activation = 'update';
		const report = (error: Error) => {
			this.reported.push(error);
			this.told.push(error.message);
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
				this.fields.push(more);
			}),
		);
		try {
			return await new LeadSearchTrigger().poll.call(context);
		} finally {
			for (const spy of spies) spy.mockRestore();
			this.kept = this.copies();
		}
	}

	/** All static data of the workflow, as n8n saves it. */
	saved(): IDataObject {
		return plain(this.workflow.staticData);
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

/** As JSON keeps it. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export function fakeDates(now = Date.now()): void {
	const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
	const others = ['nextTick', 'setImmediate', 'performance', 'queueMicrotask'] as const;
	jest.useFakeTimers({ now, doNotFake: [...timers, ...others] });
}

/** The workflow of an account's, with a trigger for 20 leads in Iceland at each poll. */
export async function createTrigger(
	{ service, customer: createCustomer }: ReturnType<typeof useService>,
	parameters: INodeParameters = {},
	{ creditCeiling = 0, ...setup }: Setup & { creditCeiling?: number } = {},
) {
	const customer = createCustomer(setup);
	const { id, apiKey } = customer.account;
	const inFull = (changed: INodeParameters) => ({ filters: iceland, leadsPerPoll: 20, ...changed });
	const credential = { baseUrl: service.baseUrl, apiKey, creditCeiling };
	const workflow = await PolledWorkflow.create(inFull(parameters), credential);
	return {
		...customer,
		workflow,
		/** The same workflow, its credential included, in another process, or a copy of it. */
		copy: async () => await PolledWorkflow.create(workflow.parameters, credential),
		poll: async (mode?: 'manual') =>
			(await workflow.poll(mode)).map(({ json }) => json.linkedin_url),
		publish: (changed: INodeParameters) => {
			workflow.publish(inFull(changed));
		},
		setLeadCount: (leads: number) => service.admin.setBehaviour(id, { leads }),
	};
}
