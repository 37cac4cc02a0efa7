import { parse } from 'flatted';
import type {
	ExecutionSummary,
	INodeTypeDescription,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';

import { until } from '../until';
import { manualRun, toSavable, type Fields, type RunOptions } from './workflow';
import type { SavedCredential, SavedWorkflow, Workflow } from './workflow';

/** The owner of an n8n that is removed afterwards. */
export const testLogin = { email: 'owner@example.com', password: 'Lead-search-1' };
export type Login = Readonly<typeof testLogin>;

type Id = Pick<SavedWorkflow, 'id'>;
type Summary = Pick<ExecutionSummary, 'id' | 'mode' | 'status'>;

const endStatuses = new Set(['success', 'error', 'canceled', 'crashed']);

/** Does what a user does in the editor, by the same API; rejects any answer but a success. */
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

	async nodeTypes(): Promise<ReadonlyArray<Pick<INodeTypeDescription, 'name' | 'version'>>> {
		return (await bodyOf(await this.send('GET', '/types/nodes.json'))) as INodeTypeDescription[];
	}

	createCredential(type: string, name: string, data: Fields): Promise<SavedCredential> {
		return this.call('POST', '/credentials', { type, name, data });
	}

	createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		// n8n 1.x has no default for "active"; later ones ignore it.
		return this.call('POST', '/workflows', { ...toSavable(workflow), active: false });
	}

	updateWorkflow(id: string, workflow: Workflow): Promise<SavedWorkflow> {
		return this.call('PATCH', `/workflows/${id}`, toSavable(workflow));
	}

	/** Makes a workflow's triggers work by themselves ("Publish" in the editor). */
	async activate({ id }: Id): Promise<void> {
		const { versionId } = await this.call<SavedWorkflow>('GET', `/workflows/${id}`);
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: Id): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`);
	}

	/** As "Execute workflow" does. Resolves with the execution's id. */
	async run({ id }: Id, options: RunOptions = {}): Promise<string> {
		const { after } = options;
		const shown = after === undefined ? undefined : resultOf(await this.loadExecution(after));
		const saved = await this.call<SavedWorkflow>('GET', `/workflows/${id}`);
		const body = manualRun(saved, options, shown?.runData);
		const started = await this.call<{ executionId?: string }>('POST', `/workflows/${id}/run`, body);
		if (started.executionId !== undefined) return started.executionId;
		throw new Error(`Workflow ${id} did not start: ${JSON.stringify(started)}`);
	}

	async execute(workflow: Workflow, timeout?: number): Promise<Execution> {
		const saved = await this.createWorkflow(workflow);
		return this.waitForExecution(await this.run(saved), timeout);
	}

	/** Waits, for so many milliseconds, for the end of an execution, in whatever way. */
	async waitForExecution(executionId: string, timeout = 180_000): Promise<Execution> {
		const check = async () => {
			const saved = await this.loadExecution(executionId);
			// n8n 1.x sets the status a moment before it saves the data.
			return endStatuses.has(saved.status) && resultOf(saved) !== undefined && readExecution(saved);
		};
		return await until(`execution ${executionId} has ended`, check, { timeout });
	}

	async execution(executionId: string): Promise<Execution> {
		return readExecution(await this.loadExecution(executionId));
	}

	/** The last 100 executions of a workflow as the editor lists them: those that run, then the others, newest first. */
	async executions({ id }: Id): Promise<readonly Summary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const path = `/executions?filter=${filter}&limit=100`;
		return (await this.call<{ results: readonly Summary[] }>('GET', path)).results;
	}

	/**
	 * As the editor's "Retry" does, and waits for the end of the new execution.
	 * @param loadWorkflow with the workflow as it is saved now, instead of as it was then.
	 */
	async retry(executionId: string, { loadWorkflow = false } = {}): Promise<Execution> {
		const path = `/executions/${executionId}/retry`;
		const retried = await this.call<{ id: string }>('POST', path, { loadWorkflow });
		return this.waitForExecution(retried.id);
	}

	private loadExecution(executionId: string): Promise<SavedExecution> {
		return this.call('GET', `/executions/${executionId}`);
	}

	/** Calls n8n's internal API; resolves with the answer's `data`. */
	async call<T>(method: string, path: string, body: object = {}): Promise<T> {
		const response = await this.send(method, `/rest${path}`, body);
		return ((await bodyOf(response)) as { data: T }).data;
	}

	/** Calls what answers in events, and waits for the last of them. */
	async events(path: string, body: object): Promise<Fields[]> {
		const response = await this.send('POST', `/rest${path}`, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`);
		return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Fields);
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const attempt = async () => {
			const response = await fetch(this.url + path, {
				method,
				// An n8n that was busy closes connections that were idle meanwhile.
				headers: { 'content-type': 'application/json', cookie: this.cookie, connection: 'close' },
				body: method === 'GET' ? null : JSON.stringify(body),
				signal: AbortSignal.timeout(180_000),
			});
			// One that was busy takes its database for gone, and does nothing until it has asked again.
			return response.status !== 503 && response;
		};
		const response = await until(`${path} is answered`, attempt);
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

export type Execution = ReturnType<typeof readExecution>;

/** An execution as the API hands it out. */
interface SavedExecution extends Pick<ExecutionSummary, 'id' | 'status'> {
	readonly data?: string;
}

/** What the nodes did, as n8n saved it; undefined as long as that isn't saved. */
function resultOf({ data = '[null]' }: SavedExecution) {
	return (parse(data) as Partial<IRunExecutionData> | null)?.resultData;
}

/** An execution that is easy to ask. */
function readExecution(saved: SavedExecution) {
	const { error, runData = {} } = resultOf(saved) ?? {};
	const runs = Object.fromEntries(
		Object.entries(runData).map(([name, saves]) => [name, saves.map(readRun)]),
	);

	/** The last run of a node. */
	const node = (name: string) => {
		const run = runs[name]?.at(-1);
		if (run !== undefined) return run;
		throw new Error(`Node "${name}" has no run; ran: ${Object.keys(runs).join(', ') || 'none'}`);
	};
	const items = (name: string, output = 0) => node(name).outputs[output] ?? [];
	return { id: saved.id, status: saved.status, error, runs, node, items };
}

function readRun({ data = {}, hints = [] }: ITaskData) {
	const outputs = data.main ?? Object.values(data)[0] ?? [];
	return {
		/** Items by output: 0 is the main output; with an error output that comes next. */
		outputs: outputs.map((items) => items ?? []),
		hints,
	};
}
