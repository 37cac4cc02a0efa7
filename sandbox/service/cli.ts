import { parseArgs } from 'node:util';
import { startService, type LeadService, type ServiceOptions } from './index';
import { welcome } from './welcome';

const USAGE =
	'npx tsx sandbox/service/cli.ts [--port N] [--leads N] [--seed N] [--latency MS] [--keep BYTES] [--json]';

/** @throws TypeError when an argument is unknown or no whole number */
function readArguments(): ServiceOptions & { json: boolean } {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({
		options: {
			port: text,
			leads: text,
			seed: text,
			latency: text,
			keep: text,
			json: { type: 'boolean', default: false },
		},
	});
	const whole = (name: 'port' | 'leads' | 'seed' | 'latency' | 'keep'): number | undefined => {
		const given = values[name];
		if (given === undefined) return undefined;
		if (/^\d+$/.test(given)) return Number(given);
		throw new TypeError(`--${name} takes a whole number, not "${given}"`);
	};
	return {
		port: whole('port'),
		leads: whole('leads'),
		seed: whole('seed'),
		latencyMs: whole('latency'),
		keptBytes: whole('keep'),
		json: values.json,
	};
}

/** What a script needs to use the service: one line of JSON. */
function machineReadable({ baseUrl, admin }: LeadService): string {
	const accounts = admin
		.accounts()
		.map((account) => ({ ...account, chargedLeads: account.chargedLeads.length }));
	return JSON.stringify({ baseUrl, accounts });
}

function reason(error: unknown, port: number | undefined): string {
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && error.code === 'EADDRINUSE')
		return `Port ${String(port)} is taken. Choose another one with --port, or leave it out for a free one.`;
	return error instanceof TypeError ? `${error.message}\nUsage: ${USAGE}` : error.message;
}

async function main(): Promise<void> {
	let port: number | undefined;
	try {
		const { json, ...options } = readArguments();
		port = options.port;
		const service = await startService(options);
		console.log(json ? machineReadable(service) : welcome(service));
		for (const signal of ['SIGINT', 'SIGTERM'] as const)
			process.once(signal, () => void service.close());
	} catch (error) {
		console.error(reason(error, port));
		process.exitCode = 1;
	}
}

void main();
