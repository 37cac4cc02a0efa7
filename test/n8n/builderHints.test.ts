/** The examples that n8n's workflow builder reads, run in a real n8n. */
import { runInNewContext } from 'node:vm';

import type { IBuilderHint } from 'n8n-workflow';

import { nodeBuilderHint, triggerBuilderHint } from '../../nodes/LeadSearch/builderHints';
import { chain, manualTrigger, node as newNode } from '../../sandbox/n8n/index';
import type { Fields, WorkflowNode } from '../../sandbox/n8n/index';
import { dropTable, poll, readTable } from '../workflows/fixture';
import { credentialOf, useN8n } from './harness';

const n8n = useN8n();

/** What an example for n8n's workflow builder declares, its calls taken for what n8n's SDK makes of them. */
function nodesOf(hint: IBuilderHint, names: readonly string[]): WorkflowNode[] {
	const [example] = hint.extraTypeDefContent ?? [];
	const [, code = ''] =
		/<pattern [^>]+>[^]*?^(const [^]*)<\/pattern>/m.exec(example?.content ?? '') ?? [];
	interface Declared {
		readonly type: string;
		readonly version: number;
		readonly config: { readonly name: string; readonly parameters: Fields };
	}
	const declare = ({ type, version, config: { name, parameters, ...more } }: Declared) => ({
		...newNode(name, type, version, parameters),
		...more,
	});
	const expr = (text: string) => `=${text}`;
	const made: unknown = runInNewContext(`(() => { ${code}; return [${names.join(', ')}]; })()`, {
		...{ node: declare, trigger: declare, expr },
	});
	return JSON.parse(JSON.stringify(made)) as WorkflowNode[];
}

test.each(['search', 'newLeads'])(
	"the example of %s for n8n's workflow builder stores what was paid for",
	async (which) => {
		await dropTable(n8n, 'Stored leads');
		const account = n8n.service.admin.createAccount({ leads: 5 });
		const credential = await credentialOf(n8n, account);
		const isTrigger = which === 'newLeads';
		const hint = isTrigger ? triggerBuilderHint : nodeBuilderHint;
		const [source, table, store] = nodesOf(hint, [which, 'leadsTable', 'storeLead']);
		if (!source || !table || !store) throw new Error('There is no such example');
		// The mock has no CEOs.
		const parameters = { ...source.parameters, filters: { personLocationCountry: 'Iceland' } };
		const paid = { ...source, parameters, credentials: { leadSearchApi: credential } };
		const { connections, ...line } = chain(
			`Example ${which}`,
			isTrigger ? [paid, table, store] : [manualTrigger, table, paid, store],
		);
		// A trigger has two branches, the table first.
		const main = [[table, store].map(({ name }) => ({ node: name, type: 'main', index: 0 }))];
		const workflow = await n8n.client.createWorkflow({
			...line,
			connections: isTrigger ? { [paid.name]: { main } } : connections,
		});
		const execution = isTrigger
			? await poll(n8n, workflow)
			: await n8n.client.waitForExecution(await n8n.client.run(workflow));
		expect(execution.error?.message).toBeUndefined();
		expect(account.spent.apiCredits).toBe(5);
		expect(await readTable(n8n, 'Stored leads')).toHaveLength(5);
	},
);
