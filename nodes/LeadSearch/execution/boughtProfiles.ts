/** The profiles that a node bought, over its executions and the tries of this one. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { AlreadyLookedUp } from './alreadyLookedUp';
import { executionIdOf, isTool } from './n8n';

const RECORDED_BY_TRY = 'recordedByTry';

/** What a try has recorded that n8n may have dropped. */
interface RecordedByTry {
	run: string;
	urls: string[];
}

export class BoughtProfiles {
	private readonly lookedUp: AlreadyLookedUp;

	/** @param baseUrl the service's: another service has other profiles */
	constructor(
		private readonly context: IExecuteFunctions,
		baseUrl: string,
	) {
		const { id: workflowId = '' } = context.getWorkflow();
		const { id: nodeId } = context.getNode();
		this.lookedUp = new AlreadyLookedUp(context.helpers, `${workflowId} ${nodeId}`, baseUrl);
	}

	/**
	 * @param urls normalised, each once
	 * @returns those that earlier executions bought; none for agents
	 * @throws Error when n8n can't read or write its store
	 */
	async find(urls: readonly string[]): Promise<Set<string>> {
		if (isTool(this.context)) return new Set();
		await this.forgetDroppedTry();
		return await this.lookedUp.find(urls);
	}

	/**
	 * Remembers what leaves the node.
	 *
	 * @param urls normalised
	 * @param mayBeDropped whether n8n may run the node again in place of passing its output on
	 * @throws Error when n8n can't write its store
	 */
	async record(urls: readonly string[], mayBeDropped: boolean): Promise<void> {
		await this.lookedUp.record(urls);
		if (!mayBeDropped) return;
		const recorded: RecordedByTry = { run: this.runKey(), urls: [...urls] };
		this.context.getContext('node')[RECORDED_BY_TRY] = recorded;
	}

	/**
	 * Forgets what has reached nobody.
	 *
	 * @throws Error when n8n can't write its store
	 */
	async forget(urls: readonly string[]): Promise<void> {
		await this.lookedUp.forget(urls);
	}

	/** The try that follows is to deliver all that n8n dropped of the one before. */
	private async forgetDroppedTry(): Promise<void> {
		const context = this.context.getContext('node');
		const recorded = context[RECORDED_BY_TRY] as RecordedByTry | undefined;
		if (!recorded) return;
		if (recorded.run === this.runKey()) await this.forget(recorded.urls);
		Reflect.deleteProperty(context, RECORDED_BY_TRY);
	}

	/** The same for all tries of one run of the node. */
	private runKey(): string {
		const { $runIndex } = this.context.getWorkflowDataProxy(0);
		return `${executionIdOf(this.context)} ${String($runIndex)}`;
	}
}
