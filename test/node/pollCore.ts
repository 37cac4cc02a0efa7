/** Polls Lead Search Trigger on n8n-core's PollContext, as n8n does, restarts included. */
import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { LeadSearchTrigger } from '../../nodes/LeadSearch/LeadSearchTrigger.node';
import { additionalData, CREDENTIAL, CredentialStore, type CredentialValues } from './n8nCore';

/** The time zone of the workflow, far enough from others that a day in them is another one. */
export const TIME_ZONE = 'Pacific/Auckland';

/** The two copies of the cursor: with the node, and with the workflow. */
export interface CursorCopies {
	ofNode?: unknown;
	ofWorkflow?: unknown;
}

/** What came of a poll: leads or none, and what the node reported without throwing it. */
interface Outcome {
	leads: INodeExecutionData[] | null;
	error?: Error | undefined;
}

/** A workflow that starts with Lead Search Trigger. */
export class PolledWorkflow {
	private workflow: Workflow;
	private readonly store = new CredentialStore();

	/** What the polls so far have written to n8n's log as warnings. */
	readonly warnings: string[] = [];

	/** The same, of what is no warning. */
	readonly infos: string[] = [];

	private name = 'Lead Search Trigger';

	/** The node's data as n8n keeps them with durable cursors on; undefined with them off. */
	private durable?: IDataObject;

	/** Whether n8n fails to start executions, so that leads go nowhere; for durable cursors. */
	startsNone = false;

	private constructor(parameters: INodeParameters) {
		this.workflow = build(parameters, {});
	}

	static async create(
		parameters: INodeParameters,
		credential: CredentialValues,
	): Promise<PolledWorkflow> {
		const polled = new PolledWorkflow(parameters);
		await polled.store.keep(credential);
		return polled;
	}

	/** Polls from now on as n8n does with durable cursors on. */
	keepDurably(): void {
		this.durable = plain(this.staticData.ofNode) as IDataObject;
	}

	/** What n8n saves between polls, for the node and for the workflow. */
	private get staticData(): { ofNode: IDataObject; ofWorkflow: IDataObject } {
		return {
			ofNode: this.durable ?? this.workflow.getStaticData('node', this.node),
			ofWorkflow: this.workflow.getStaticData('global'),
		};
	}

	/** The cursor as it is saved with the node. */
	saved(): IDataObject {
		return this.staticData.ofNode.cursor as IDataObject;
	}

	/** Saves something else in place of the cursor. */
	overwrite(cursor: unknown): void {
		this.staticData.ofNode.cursor = cursor as IDataObject;
		this.overwriteGlobal(cursor);
	}

	/** The same in the data of the workflow alone, as an execution with older data does. */
	overwriteGlobal(cursor: unknown): void {
		this.staticData.ofWorkflow.leadSearchTrigger_trigger = cursor as IDataObject;
	}

	/** Both copies of the cursor as they are now. */
	copies(): CursorCopies {
		const { ofNode, ofWorkflow } = this.staticData;
		return structuredClone({
			ofNode: plain(ofNode.cursor),
			ofWorkflow: plain(ofWorkflow.leadSearchTrigger_trigger),
		});
	}

	/** Saves other copies of the cursor: those that n8n had at an earlier time, say. */
	setCopies({ ofNode, ofWorkflow }: CursorCopies): void {
		this.staticData.ofNode.cursor = structuredClone(ofNode) as IDataObject;
		this.overwriteGlobal(structuredClone(ofWorkflow));
	}

	/** Puts the cursor behind so many rows. */
	move(offset: number): void {
		this.overwrite({ ...this.saved(), offset });
	}

	/** Renames the node, which takes its own static data away. */
	rename(name: string): void {
		const { ofWorkflow } = this.staticData;
		this.name = name;
		const { id } = this.workflow;
		this.workflow = build(this.node.parameters, { global: ofWorkflow }, name, id);
	}

	async setCredential(credential: CredentialValues): Promise<void> {
		await this.store.keep(credential);
	}

	/**
	 * @param mode `manual` for "Fetch Test Event"
	 * @returns the leads that were handed over
	 * @throws what the node threw or reported
	 */
	async poll(mode: WorkflowExecuteMode = 'trigger'): Promise<INodeExecutionData[]> {
		const { leads, error } = await (this.durable
			? this.pollDurably(mode, this.durable)
			: this.run(mode));
		if (error) throw error;
		return leads ?? [];
	}

	/** n8n loads the workflow for every poll, saves its data with leads, and the node's own later. */
	private async pollDurably(mode: WorkflowExecuteMode, durable: IDataObject): Promise<Outcome> {
		const before = plain(this.workflow.staticData) as IDataObject;
		const ofNode = structuredClone(durable);
		let leads: Outcome['leads'] = null;
		try {
			const outcome = await this.run(mode, ofNode);
			({ leads } = outcome);
			if (leads !== null && this.startsNone) return { leads: null };
			if (mode !== 'manual') this.durable = ofNode;
			return outcome;
		} finally {
			if (leads === null) {
				const { id } = this.workflow;
				this.workflow = build(this.node.parameters, before, this.name, id);
			}
		}
	}

	private async run(mode: WorkflowExecuteMode, ofNode?: IDataObject): Promise<Outcome> {
		let error: Error | undefined;
		const context = new PollContext(
			this.workflow,
			this.node,
			additionalData(this.store),
			mode,
			'activate',
			undefined,
			(reported) => {
				error = reported;
			},
			...([undefined, undefined] as const),
			ofNode && (() => ofNode),
		);
		const info = jest.spyOn(context.logger, 'info').mockImplementation((message) => {
			this.infos.push(message);
		});
		const warn = jest.spyOn(context.logger, 'warn').mockImplementation((message) => {
			this.warnings.push(message);
		});
		try {
			const output = await new LeadSearchTrigger().poll.call(context);
			return { leads: output && (output[0] ?? []), error };
		} finally {
			warn.mockRestore();
			info.mockRestore();
		}
	}

	/** Saves and loads the workflow, as a restart of n8n does, with other parameters if given. */
	restart(parameters: INodeParameters = this.node.parameters): void {
		const saved = JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
		this.workflow = build(parameters, saved, this.name);
	}

	private get node(): INode {
		const [node] = Object.values(this.workflow.nodes);
		if (!node) throw new Error('The workflow has lost its trigger');
		return node;
	}
}

/** What n8n watches for changes, as plain data. */
function plain(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function build(
	parameters: INodeParameters,
	staticData: IDataObject,
	name = 'Lead Search Trigger',
	// What is remembered about a workflow ends with n8n's process, so a new process has a new one.
	id: string = randomUUID(),
): Workflow {
	const type = new LeadSearchTrigger();
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	return new Workflow({
		id,
		name: 'Polled',
		nodes: [
			{
				id: 'trigger',
				name,
				type: 'leadSearchTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters,
				credentials: { leadSearchApi: CREDENTIAL },
			},
		],
		connections: {},
		active: true,
		nodeTypes,
		staticData,
		settings: { timezone: TIME_ZONE },
	});
}
