import { parseArgs } from 'node:util';
import { startService, type ServiceOptions } from './index';
import { welcome } from './welcome';

const USAGE = 'npm run sandbox -- [--port N] [--latency MS]';

/** @throws TypeError when an argument is unknown or no whole number */
function readArguments(): ServiceOptions {
	const text = { type: 'string' } as const;
	const { values } = parseArgs({ options: { port: text, latency: text } });
	const whole = (name: keyof typeof values): number | undefined => {
		const given = values[name];
		if (given === undefined) return undefined;
		if (/^\d+$/.test(given)) return Number(given);
		throw new TypeError(`--${name} takes a whole number, not "${given}"`);
	};
	return { port: whole('port'), latencyMs: whole('latency') };
}

function reason(error: Error & { code?: unknown; port?: number }): string {
	if (error.code === 'EADDRINUSE')
		return `Port ${error.port} is taken. Choose another one with --port, or leave it out for a free one.`;
	return error instanceof TypeError ? `${error.message}\nUsage: ${USAGE}` : error.message;
}

async function main(): Promise<void> {
	const service = await startService(readArguments());
	console.log(welcome(service));
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void service.close());
}

main().catch((error: unknown) => {
	console.error(reason(error as Error));
	process.exitCode = 1;
});
