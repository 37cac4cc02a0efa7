import type {
	ExecutionSummary,
	INodeCredentialTestResult,
	INodeTypeDescription,
} from 'n8n-workflow';

import { until } from '../until';
import { readExecution, resultOf, type Execution, type SavedExecution } from './execution';
import { manualRun, savable, type Fields, type RunOptions } from './workflow';
import type { SavedCredential, SavedWorkflow, Workflow } from './workflow';

/** Whoever uses the n8n; for the first login also who owns it. */
export interface Login {
	readonly email: string;
	readonly password: string;
}

/** The owner of an n8n that is removed afterwards. */
export const testLogin: Login = { email: 'owner@example.com', password: 'Lead-search-1' };

type Id = Pick<SavedWorkflow, 'id'>;
type Summary = Pick<ExecutionSummary, 'id' | 'status'>;

const ended = new Set(['success', 'error', 'canceled', 'crashed']);

/**
 * Does with n8n what a user does in the editor, by the same API. Every method rejects when n8n
 * answers with anything but a success.
 */
export class N8nClient {
	private cookie = '';

	constructor(private readonly url: string) {}

	/** Creates the first user, who is logged in then. Resolves with false when there is one. */
	async setupOwner(login = testLogin): Promise<boolean> {
		const owner = { ...login, firstName: 'Lead', lastName: 'Searcher' };
		const response = await this.send('POST', '/rest/owner/setup', owner);
		return response.status !== 400 && (await bodyOf(response)) !== undefined;
	}

	/** Logs in; everything but `setupOwner` needs it. */
	async logIn({ email, password } = testLogin): Promise<void> {
		await this.call('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	async version(): Promise<string> {
		return ((await this.call('GET', '/settings')) as { versionCli: string }).versionCli;
	}

	async nodeTypes(): Promise<ReadonlyArray<Pick<INodeTypeDescription, 'name' | 'version'>>> {
		const response = await this.send('GET', '/types/nodes.json');
		return (await bodyOf(response)) as INodeTypeDescription[];
	}

	credentials(): Promise<readonly SavedCredential[]> {
		return this.call('GET', '/credentials') as Promise<SavedCredential[]>;
	}

	createCredential(type: string, name: string, data: Fields): Promise<SavedCredential> {
		return this.call('POST', '/credentials', { type, name, data }) as Promise<SavedCredential>;
	}

	async updateCredential({ id, type, name }: SavedCredential, data: Fields): Promise<void> {
		await this.call('PATCH', `/credentials/${id}`, { type, name, data });
	}

	/** Makes a key for n8n's public API. Resolves with the key. */
	async createApiKey(label: string, scopes: readonly string[]): Promise<string> {
		const made = await this.call('POST', '/api-keys', { label, scopes, expiresAt: null });
		return (made as { rawApiKey: string }).rawApiKey;
	}

	/**
	 * Tests a credential as its dialog does, which sends what it shows: a placeholder stands for
	 * every saved secret.
	 * @param typed values to test in place of the saved ones.
	 */
	async testCredential(
		{ id, type, name }: SavedCredential,
		typed?: Fields,
	): Promise<INodeCredentialTestResult> {
		const shown = await this.call('GET', `/credentials/${id}?includeData=true`);
		const data = { ...(shown as { data: Fields }).data, ...typed };
		const body = { credentials: { id, type, name, data } };
		return (await this.call('POST', '/credentials/test', body)) as INodeCredentialTestResult;
	}

	workflows(): Promise<readonly SavedWorkflow[]> {
		return this.call('GET', '/workflows') as Promise<SavedWorkflow[]>;
	}

	createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		// n8n 1.x has no default for "active"; later ones ignore it.
		const body = { ...savable(workflow), active: false };
		return this.call('POST', '/workflows', body) as Promise<SavedWorkflow>;
	}

	updateWorkflow(id: string, workflow: Workflow): Promise<SavedWorkflow> {
		return this.call('PATCH', `/workflows/${id}`, savable(workflow)) as Promise<SavedWorkflow>;
	}

	/** Makes a workflow's triggers work by themselves ("Publish" in the editor). */
	async activate({ id }: Id): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: Id): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`);
	}

	/** Starts a workflow by hand ("Execute workflow"). Resolves with the execution's id. */
	async run({ id }: Id, options: RunOptions = {}): Promise<string> {
		const { after } = options;
		const shown = after === undefined ? undefined : resultOf(await this.saved(after));
		const body = manualRun(await this.workflow(id), options, shown?.runData);
		const started = await this.call('POST', `/workflows/${id}/run`, body);
		const { executionId } = started as { executionId?: string };
		if (executionId !== undefined) return executionId;
		throw new Error(`Workflow ${id} did not start: ${JSON.stringify(started)}`);
	}

	/** Saves a workflow, runs it by hand and waits for the end. */
	async execute(workflow: Workflow, timeout?: number): Promise<Execution> {
		const saved = await this.createWorkflow(workflow);
		return this.waitForExecution(await this.run(saved), timeout);
	}

	/**
	 * Waits until an execution has ended, in whatever way.
	 * @param timeout milliseconds; after that it rejects, and the execution goes on.
	 */
	async waitForExecution(executionId: string, timeout = 60_000): Promise<Execution> {
		const look = async () => {
			const saved = await this.saved(executionId);
			// n8n 1.x sets the status a moment before it saves the data.
			return ended.has(saved.status) && resultOf(saved) !== undefined && readExecution(saved);
		};
		return await until(`execution ${executionId} has ended`, look, { timeout });
	}

	async execution(executionId: string): Promise<Execution> {
		return readExecution(await this.saved(executionId));
	}

	/** What nodes wrote beside an execution that has ended; n8n saves it a moment after the rest. */
	async customData(executionId: string): Promise<Readonly<Record<string, string>>> {
		return await until(`execution ${executionId} has custom data`, async () => {
			const { customData = {} } = await this.saved(executionId);
			return Object.keys(customData).length > 0 && customData;
		});
	}

	/** Stops a running execution, as the editor's button does. */
	async cancel(executionId: string): Promise<void> {
		await this.call('POST', `/executions/${executionId}/stop`);
	}

	/** Ids of the executions of a workflow that have ended or are running, newest first. */
	async executions(workflow: Id): Promise<readonly string[]> {
		return (await this.summaries(workflow)).map(({ id }) => id);
	}

	/** The last 100 executions of a workflow, newest first, as the editor lists them. */
	async summaries({ id }: Id): Promise<readonly Summary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const listed = await this.call('GET', `/executions?filter=${filter}&limit=100`);
		return (listed as { results: readonly Summary[] }).results;
	}

	/**
	 * Runs an execution that didn't succeed again, as the editor's "Retry" does.
	 * @param loadWorkflow with the workflow as it is saved now, instead of as it was then.
	 * @returns the new execution, which has ended.
	 */
	async retry(executionId: string, { loadWorkflow = false } = {}): Promise<Execution> {
		const path = `/executions/${executionId}/retry`;
		const retried = (await this.call('POST', path, { loadWorkflow })) as { id: string };
		return this.waitForExecution(retried.id);
	}

	private workflow(id: string): Promise<SavedWorkflow> {
		return this.call('GET', `/workflows/${id}`) as Promise<SavedWorkflow>;
	}

	private saved(executionId: string): Promise<SavedExecution> {
		return this.call('GET', `/executions/${executionId}`) as Promise<SavedExecution>;
	}

	/** Calls n8n's API; resolves with the answer's `data`. */
	private async call(method: string, path: string, body: object = {}): Promise<unknown> {
		const response = await this.send(method, `/rest${path}`, body);
		return ((await bodyOf(response)) as { data?: unknown }).data;
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const { cookie } = this;
		const response = await fetch(this.url + path, {
			method,
			// An n8n that was busy closes connections that were idle meanwhile.
			headers: { 'content-type': 'application/json', cookie, connection: 'close' },
			body: method === 'GET' ? null : JSON.stringify(body),
			signal: AbortSignal.timeout(60_000),
		});
		const login = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (login !== undefined) this.cookie = login.split(';', 1)[0] ?? '';
		return response;
	}
}

/** @throws Error when the answer isn't a success */
async function bodyOf(response: Response): Promise<unknown> {
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 500)}`);
}
