/**
 * Tests in a real n8n, whose clock is moved, that a Retry counts from the start of the first execution. The mock service
 * counts the charges.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { node as ownNode } from '../../sandbox/n8n/index';
import { credentialOf, leadSearch, useN8n } from './harness';
import { publish } from './production';

const clockFile = join(tmpdir(), `lead-search-clock-${randomUUID()}`);
const preload = join(__dirname, '..', '..', 'sandbox', 'n8n', 'clock.cjs');

/** Sets n8n's clock forward. */
function setClockForward(minutes: number): void {
	writeFileSync(clockFile, String(minutes * 60_000));
}
setClockForward(0);

const n8n = useN8n({ NODE_OPTIONS: `--require=${preload}`, CLOCK_FILE: clockFile });

test('a Search after a failed node reuses the results of the first Search in a Retry 70 minutes later', async () => {
	const account = n8n.service.admin.createAccount();
	const { spent } = account;
	const credential = await credentialOf(n8n, account);
	const thirty = { filters: { personLocationCountry: 'Iceland' }, limit: 30 };
	const stop = ownNode('Stop', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'Stopped' });
	const again = leadSearch(thirty, credential, { name: 'Again', id: randomUUID() });
	const nodes = [leadSearch(thirty, credential), stop, again];
	const { workflow, run } = await publish(n8n, nodes);
	const failed = await run();
	expect([failed.status, spent.apiCredits]).toEqual(['error', 30]);
	setClockForward(70);
	const repaired = workflow.nodes.map((one) =>
		one.name === 'Stop' ? { ...one, disabled: true } : one,
	);
	await n8n.client.updateWorkflow(workflow.id, { ...workflow, nodes: repaired });
	const retried = await n8n.client.retry(failed.id, { loadWorkflow: true });
	// The second node searches once for each of the 30 leads.
	expect([retried.status, retried.items('Again').length]).toEqual(['success', 900]);
	expect(spent.apiCredits).toBe(30);
});
