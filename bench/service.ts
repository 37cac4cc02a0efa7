/** The mock service in a process of its own, so that its work takes no time of those measured. */
import { startService, type Limits, type LoggedRequest } from '../sandbox/service';

/** How the service treats the requests of the next run. */
export interface Conditions {
	readonly latencyMs: number;
	readonly limits?: Limits;
}

/** Where the service is, and what it counted since the conditions before. */
export interface ServiceReport {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly requests: ReadonlyArray<Pick<LoggedRequest, 'status' | 'charged'>>;
}

/** More than a whole bench spends. */
const apiCredits = 1_000_000_000;

async function main(): Promise<void> {
	const { baseUrl, admin } = await startService({ keepsAnswers: true });
	const { id, apiKey } = admin.createAccount({ apiCredits });
	let since = 0;
	process.on('disconnect', () => process.exit());
	process.on('message', ({ latencyMs, limits = {} }: Conditions) => {
		const logged = admin.requests({ since });
		since = logged.at(-1)?.seq ?? since;
		const requests = logged.map(({ status, charged }) => ({ status, charged }));
		admin.clearFaults();
		if (latencyMs > 0) admin.addFault({ kind: 'latency', ms: latencyMs, times: 'always' });
		admin.setBehaviour(id, { limits });
		process.send?.({ baseUrl, apiKey, requests });
	});
}

void main();
