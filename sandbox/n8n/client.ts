/** A client for n8n's internal API. */
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

/** Login of the owner in a temporary n8n. */
export const testLogin = { email: 'owner@example.com', password: 'Lead-search-1' };
export type Login = Readonly<typeof testLogin>;

type Id = Pick<SavedWorkflow, 'id'>;
type Summary = Pick<ExecutionSummary, 'id' | 'mode' | 'status' | 'stoppedAt'>;

const endStatuses = new Set(['success', 'error', 'canceled', 'crashed']);

/** Does the same as a user in the editor, with the same API. All methods reject if the response isn't a success. */
export class N8nClient {
	private cookie = '';

	constructor(private readonly url: string) {}

	/** Creates the owner and logs in. Resolves with false if n8n already has an owner. */
	async setupOwner(login = testLogin): Promise<boolean> {
		const owner = { ...login, firstName: 'Lead', lastName: 'Searcher' };
		const response = await this.send('POST', '/rest/owner/setup', owner);
		return response.status !== 400 && (await bodyOf(response)) !== undefined;
	}

	/** Logs in. All methods except `setupOwner` need it. */
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
		// n8n 1.x has no default for "active". Later versions ignore it.
		return this.call('POST', '/workflows', { ...toSavable(workflow), active: false });
	}

	updateWorkflow(id: string, workflow: Workflow): Promise<SavedWorkflow> {
		return this.call('PATCH', `/workflows/${id}`, toSavable(workflow));
	}

	/** Activates a workflow, so that its triggers run ("Publish" in the editor). */
	async activate({ id }: Id): Promise<void> {
		const { versionId } = await this.call<SavedWorkflow>('GET', `/workflows/${id}`);
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: Id): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`);
	}

	/** Runs a workflow, like "Execute workflow". Resolves with the execution's ID. */
	async run({ id }: Id, options: RunOptions = {}): Promise<string> {
		const saved = await this.call<SavedWorkflow>('GET', `/workflows/${id}`);
		const body = manualRun(saved, options);
		const started = await this.call<{ executionId?: string }>('POST', `/workflows/${id}/run`, body);
		if (started.executionId !== undefined) return started.executionId;
		throw new Error(`Workflow ${id} did not start: ${JSON.stringify(started)}`);
	}

	async execute(workflow: Workflow, timeout?: number): Promise<Execution> {
		const saved = await this.createWorkflow(workflow);
		return this.waitForExecution(await this.run(saved), timeout);
	}

	/** Waits until an execution has ended with any status. The timeout is in milliseconds. */
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

	/**
	 * The executions of a workflow, in the order of the editor: running ones first, then the newest first. n8n 1.x returns
	 * only the last 100.
	 */
	async executions({ id }: Id): Promise<readonly Summary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const all: Summary[] = [];
		let next: string | undefined;
		do {
			const cursor = next === undefined ? '' : `&cursor=${next}`;
			const path = `/executions?filter=${filter}&limit=100${cursor}`;
			const page = await this.call<SummaryPage>('GET', path);
			all.push(...page.results);
			next = page.nextCursor ?? undefined;
		} while (next !== undefined);
		return all;
	}

	/**
	 * Retries an execution, like the editor's "Retry", and waits for the end of the new one.
	 *
	 * @param loadWorkflow whether to run the workflow as saved now, instead of as it was executed
	 */
	async retry(executionId: string, { loadWorkflow = false } = {}): Promise<Execution> {
		const path = `/executions/${executionId}/retry`;
		const retried = await this.call<{ id: string }>('POST', path, { loadWorkflow });
		return this.waitForExecution(retried.id);
	}

	private loadExecution(executionId: string): Promise<SavedExecution> {
		return this.call('GET', `/executions/${executionId}`);
	}

	/** Calls n8n's internal API. Resolves with the response's `data`. */
	async call<T>(method: string, path: string, body: object = {}): Promise<T> {
		const response = await this.send(method, `/rest${path}`, body);
		return ((await bodyOf(response)) as { data: T }).data;
	}

	/** Calls an endpoint that responds with server-sent events, and waits for the last event. */
	async events(path: string, body: object): Promise<Fields[]> {
		const response = await this.send('POST', `/rest${path}`, body);
		const text = await response.text();
		if (!response.ok)
			throw new Error(`${path} responded with ${response.status}: ${text.slice(0, 500)}`);
		return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Fields);
	}

	private async send(method: string, path: string, body?: object): Promise<Response> {
		const attempt = async () => {
			const response = await fetch(this.url + path, {
				method,
				// A busy n8n closes connections that have been idle.
				headers: { 'content-type': 'application/json', cookie: this.cookie, connection: 'close' },
				body: method === 'GET' ? null : JSON.stringify(body),
				signal: AbortSignal.timeout(180_000),
			});
			// A busy n8n thinks that its database is gone, and responds with 503 until it has checked again.
			return response.status !== 503 && response;
		};
		const response = await until(`${path} responds`, attempt);
		const login = response.headers.getSetCookie().find((one) => one.startsWith('n8n-auth='));
		if (login !== undefined) this.cookie = login.split(';', 1)[0] ?? '';
		return response;
	}
}

/** Parses the body of a response. @throws Error if the response isn't a success */
async function bodyOf(response: Response): Promise<unknown> {
	const text = await response.text();
	if (response.ok) return JSON.parse(text);
	throw new Error(`${response.url} responded with ${response.status}: ${text.slice(0, 500)}`);
}

export type Execution = ReturnType<typeof readExecution>;

interface SummaryPage {
	readonly results: readonly Summary[];
	readonly nextCursor?: string | null;
}

/** An execution as the API returns it. */
interface SavedExecution extends Pick<ExecutionSummary, 'id' | 'status'> {
	readonly data?: string;
}

/** Returns the saved results of the nodes, or undefined if n8n hasn't saved them yet. */
function resultOf({ data = '[null]' }: SavedExecution) {
	return (parse(data) as Partial<IRunExecutionData> | null)?.resultData;
}

/** Converts an execution into a form that tests can read. */
function readExecution(saved: SavedExecution) {
	const { error, runData = {} } = resultOf(saved) ?? {};
	const runs = Object.fromEntries(
		Object.entries(runData).map(([name, saves]) => [name, saves.map(readRun)]),
	);

	/** Returns the last run of a node. */
	const node = (name: string) => {
		const run = runs[name]?.at(-1);
		if (run !== undefined) return run;
		throw new Error(
			`Node "${name}" did not run. These did: ${Object.keys(runs).join(', ') || 'none'}`,
		);
	};
	const items = (name: string, output = 0) => node(name).outputs[output] ?? [];
	return { id: saved.id, status: saved.status, error, runs, node, items };
}

function readRun({ data = {}, hints = [] }: ITaskData) {
	const outputs = data.main ?? Object.values(data)[0] ?? [];
	return {
		/** Items by output: 0 is the main output, 1 the error output if there is one. */
		outputs: outputs.map((items) => items ?? []),
		hints,
	};
}
