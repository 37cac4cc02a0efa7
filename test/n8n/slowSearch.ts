/** Starts searches that take long enough to stop or kill n8n during them. */
import { credentialOf, leadSearch, type RunningN8n } from './harness';
import { publish } from './production';

const pageSize = 25;

/**
 * Starts a search with its own account, whose pages take a second each, and waits for the request for the second page.
 *
 * @returns `charged` counts the charged pages. `before` is its result at the start
 */
export async function startSlowSearch(n8n: RunningN8n, pages: number) {
	const { admin } = n8n.service;
	const account = admin.createAccount();
	admin.addFault({ kind: 'latency', ms: 1_000, times: 'always', account: account.id });
	const credential = await credentialOf(n8n, account);
	const filters = { personLocationCountry: 'Iceland' };
	const options = { pageSize, parallelPages: 1 };
	const search = leadSearch({ filters, limit: pageSize * pages, options }, credential);
	const { start } = await publish(n8n, [search]);
	const id = await start();
	await admin.waitForRequest((request) => request.account === account.id && request.page === 2);
	const charged = () => account.spent.apiCredits / pageSize;
	return { id, account, charged, before: charged() };
}

export type SlowSearch = Awaited<ReturnType<typeof startSlowSearch>>;
