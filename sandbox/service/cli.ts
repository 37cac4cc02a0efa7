import { parseArgs } from 'node:util';
import { startService, type ServiceOptions } from './index';
import { welcome } from './welcome';

const USAGE = 'npm run sandbox -- [--port N]';

/** @throws TypeError when an argument is unknown or no whole number */
function readArguments(): ServiceOptions {
	const { port = '0' } = parseArgs({ options: { port: { type: 'string' } } }).values;
	if (!/^\d+$/.test(port)) throw new TypeError(`--port takes a whole number, not "${port}"`);
	return { port: Number(port) };
}

function reason(error: Error & { code?: unknown; port?: number }): string {
	if (error.code === 'EADDRINUSE')
		return `Port ${error.port} is taken. Choose another one with --port, or leave it out for a free one.`;
	return error instanceof TypeError ? `${error.message}\nUsage: ${USAGE}` : error.message;
}

async function main(): Promise<void> {
	const service = await startService(readArguments());
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void service.close());
	console.log(welcome(service));
}

main().catch((error: unknown) => {
	console.error(reason(error as Error));
	process.exitCode = 1;
});
