/** Starts a search with a node after it that doesn't end, so that n8n can be killed there. */
import { randomUUID } from 'node:crypto';

import type { Fields } from '../../sandbox/n8n/index';
import { credentialOf, leadSearch, type RunningN8n } from './harness';
import { publish } from './production';

/**
 * Starts a search for 50 leads and, after it, a search for 10 leads that gets no response until the faults of the mock
 * service are cleared. Waits for the request of the second search.
 *
 * @param saveExecutionProgress the setting of the workflow
 * @returns `spent` returns the credits that the first search has spent
 */
export async function startLaterNode(n8n: RunningN8n, saveExecutionProgress: boolean) {
	const { admin } = n8n.service;
	const [account, later] = [admin.createAccount(), admin.createAccount()];
	admin.addFault({ kind: 'hang', account: later.id, times: 'always' });
	const filters = { personLocationCountry: 'Iceland' };
	const named = { id: randomUUID(), name: 'Later', executeOnce: true };
	const nodes = [
		leadSearch({ filters, limit: 50 }, await credentialOf(n8n, account)),
		leadSearch({ filters, limit: 10 }, await credentialOf(n8n, later), named),
	];
	const { start } = await publish(n8n, nodes, ({ settings, ...workflow }) => ({
		...workflow,
		settings: { ...(settings as Fields), saveExecutionProgress },
	}));
	const id = await start();
	await admin.waitForRequest((request) => request.account === later.id);
	return { id, spent: () => account.spent.apiCredits };
}
