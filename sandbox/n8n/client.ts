import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../until';
import {
	hasRunData,
	readExecution,
	savedRunsOf,
	type Execution,
	type SavedExecution,
} from './execution';
import { changedWorkflow, manualRun, newWorkflow, type RunOptions } from './request-bodies';
import { Rest, RestError } from './rest';
import type { SavedCredential, SavedWorkflow, Workflow } from './workflow';

/** Whoever uses the n8n; for the first login also who owns it. */
export interface Login {
	readonly email: string;
	readonly password: string;
}

/** What n8n says after testing a credential. */
export interface CredentialTest {
	/** `OK` or `Error`. */
	readonly status: string;
	readonly message: string;
}

/** What the editor knows about a node; the rest of the description is there as well. */
export interface NodeType {
	readonly name: string;
	readonly displayName: string;
	readonly [field: string]: unknown;
}

/** What the editor knows about a credential; the rest of the description is there as well. */
export interface CredentialType {
	readonly name: string;
	readonly displayName: string;
	readonly [field: string]: unknown;
}

/** What the editor's list of executions shows of one. */
export interface ExecutionSummary {
	readonly id: string;
	/** `new`, `running`, `success`, `error`, `canceled`, `crashed` … */
	readonly status: string;
}

const pollMilliseconds = 100;
const ended = new Set(['success', 'error', 'canceled', 'crashed']);

/** Does with n8n what a user does in the editor, by the same API. */
export class N8nClient {
	private readonly rest: Rest;

	constructor(url: string) {
		this.rest = new Rest(url);
	}

	/** Creates the first user, who is logged in then. Resolves with false when there is one. */
	async setupOwner(login: Login): Promise<boolean> {
		try {
			await this.rest.post('/owner/setup', {
				...login,
				firstName: 'Lead',
				lastName: 'Searcher',
			});
			return true;
		} catch (error) {
			if (error instanceof RestError && error.status === 400) return false;
			throw error;
		}
	}

	/** Logs in; everything but `setupOwner` needs it. */
	async logIn(login: Login): Promise<void> {
		await this.rest.post('/login', {
			emailOrLdapLoginId: login.email,
			password: login.password,
		});
	}

	/** n8n's own version. */
	async version(): Promise<string> {
		const settings = (await this.rest.get('/settings')) as { versionCli: string };
		return settings.versionCli;
	}

	/** Every node type that can be placed in a workflow. */
	async nodeTypes(): Promise<readonly NodeType[]> {
		return (await this.rest.file('/types/nodes.json')) as NodeType[];
	}

	/** Every credential type that can be saved. */
	async credentialTypes(): Promise<readonly CredentialType[]> {
		return (await this.rest.file('/types/credentials.json')) as CredentialType[];
	}

	async credentials(): Promise<readonly SavedCredential[]> {
		return (await this.rest.get('/credentials')) as SavedCredential[];
	}

	async createCredential(
		type: string,
		name: string,
		data: Readonly<Record<string, unknown>>,
	): Promise<SavedCredential> {
		return (await this.rest.post('/credentials', { type, name, data })) as SavedCredential;
	}

	async updateCredential(
		saved: SavedCredential,
		data: Readonly<Record<string, unknown>>,
	): Promise<SavedCredential> {
		const { id, type, name } = saved;
		return (await this.rest.patch(`/credentials/${id}`, {
			type,
			name,
			data,
		})) as SavedCredential;
	}

	/**
	 * Tests a credential as its dialog does, which sends what it shows: a placeholder stands for
	 * every saved secret.
	 *
	 * @param typed values to test in place of the saved ones.
	 */
	async testCredential(
		{ id, type, name }: SavedCredential,
		typed?: Readonly<Record<string, unknown>>,
	): Promise<CredentialTest> {
		const shown = (await this.rest.get(`/credentials/${id}?includeData=true`)) as {
			data: Readonly<Record<string, unknown>>;
		};
		const credentials = { id, type, name, data: { ...shown.data, ...typed } };
		return (await this.rest.post('/credentials/test', { credentials })) as CredentialTest;
	}

	async workflows(): Promise<readonly SavedWorkflow[]> {
		return (await this.rest.get('/workflows')) as SavedWorkflow[];
	}

	async workflow(id: string): Promise<SavedWorkflow> {
		return (await this.rest.get(`/workflows/${id}`)) as SavedWorkflow;
	}

	async createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		return (await this.rest.post('/workflows', newWorkflow(workflow))) as SavedWorkflow;
	}

	async updateWorkflow(id: string, workflow: Workflow): Promise<SavedWorkflow> {
		return (await this.rest.patch(
			`/workflows/${id}`,
			changedWorkflow(workflow),
		)) as SavedWorkflow;
	}

	/** Makes a workflow's triggers work by themselves ("Publish" in the editor). */
	async activate({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.rest.post(`/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		await this.rest.post(`/workflows/${id}/deactivate`);
	}

	/** Starts a workflow by hand ("Execute workflow"). Resolves with the execution's id. */
	async run({ id }: Pick<SavedWorkflow, 'id'>, options: RunOptions = {}): Promise<string> {
		const shown =
			options.after !== undefined
				? savedRunsOf(await this.savedExecution(options.after))
				: {};
		const body = manualRun(await this.workflow(id), options, shown);
		const started = (await this.rest.post(`/workflows/${id}/run`, body)) as {
			executionId?: string;
		};
		if (started.executionId === undefined) {
			throw new Error(`Workflow ${id} did not start: ${JSON.stringify(started)}`);
		}
		return started.executionId;
	}

	/**
	 * Waits until an execution has ended, in whatever way.
	 *
	 * @param timeout milliseconds; after that it rejects, and the execution goes on.
	 */
	async waitForExecution(executionId: string, timeout = 60_000): Promise<Execution> {
		const deadline = Date.now() + timeout;
		for (;;) {
			const saved = await this.savedExecution(executionId);
			// n8n 1.x sets the status a moment before it saves the data.
			if (ended.has(saved.status) && hasRunData(saved)) return readExecution(saved);
			if (Date.now() > deadline) {
				throw new Error(
					`Execution ${executionId} is still "${saved.status}" after ${timeout / 1000} seconds`,
				);
			}
			await sleep(pollMilliseconds);
		}
	}

	/** What an execution has done so far; undefined before n8n has saved any of it. */
	async execution(executionId: string): Promise<Execution | undefined> {
		const saved = await this.savedExecution(executionId);
		return hasRunData(saved) ? readExecution(saved) : undefined;
	}

	/**
	 * What nodes wrote beside an execution that has ended. n8n saves it a moment after the rest, so
	 * this waits until there is some.
	 */
	async customData(executionId: string): Promise<Readonly<Record<string, string>>> {
		return await until(`execution ${executionId} has custom data`, async () => {
			const { customData = {} } = await this.savedExecution(executionId);
			return Object.keys(customData).length > 0 && customData;
		});
	}

	/** Saves a workflow, runs it by hand and waits for the end. */
	async execute(workflow: Workflow, timeout?: number): Promise<Execution> {
		const saved = await this.createWorkflow(workflow);
		return this.waitForExecution(await this.run(saved), timeout);
	}

	/** Stops a running execution, as the editor's button does. */
	async cancel(executionId: string): Promise<void> {
		await this.rest.post(`/executions/${executionId}/stop`);
	}

	/** Ids of the executions of a workflow that have ended or are running, newest first. */
	async executions(workflow: Pick<SavedWorkflow, 'id'>): Promise<readonly string[]> {
		return (await this.summaries(workflow)).map(({ id }) => id);
	}

	/** The last 100 executions of a workflow, newest first, as the editor lists them. */
	async summaries({ id }: Pick<SavedWorkflow, 'id'>): Promise<readonly ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const answer = (await this.rest.get(`/executions?filter=${filter}&limit=100`)) as {
			results: readonly ExecutionSummary[];
		};
		return answer.results;
	}

	/**
	 * Runs an execution that didn't succeed again, as the editor's "Retry" does.
	 *
	 * @param loadWorkflow with the workflow as it is saved now, instead of as it was then.
	 * @returns the new execution, which has ended.
	 */
	async retry(executionId: string, { loadWorkflow = false } = {}): Promise<Execution> {
		const path = `/executions/${executionId}/retry`;
		const retried = (await this.rest.post(path, { loadWorkflow })) as { id: string };
		return this.waitForExecution(retried.id);
	}

	private async savedExecution(executionId: string): Promise<SavedExecution> {
		return (await this.rest.get(`/executions/${executionId}`)) as SavedExecution;
	}
}
