/** `npm run sandbox -- [--port N]`: the mock of the lead service, until it is stopped. */
import { parseArgs } from 'node:util';
import { DEFAULT_LEADS, LOOKUP_PATH, PREVIEW_PATH, SEARCH_PATH, startService } from './index';

async function main(): Promise<void> {
	const { port = '0' } = parseArgs({ options: { port: { type: 'string' } } }).values;
	if (!/^\d+$/.test(port)) throw new TypeError(`--port takes a whole number, not "${port}"`);
	const service = await startService({ port: Number(port) });
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void service.close());
	const { baseUrl, admin } = service;
	const accounts = admin.accounts();
	const authorization = `-H 'Authorization: Bearer ${accounts[0]?.apiKey ?? ''}'`;
	const lines = [
		`Mock of the lead service with ${DEFAULT_LEADS.toLocaleString('en')} made-up leads`,
		`  Base URL   ${baseUrl}`,
		...accounts.map(
			({ apiKey, apiCredits, sessionToken }) =>
				`  API key    ${apiKey}, with ${apiCredits.toLocaleString('en')} credits; session token ${sessionToken}`,
		),
		'',
		`POST ${PREVIEW_PATH} (free), ${SEARCH_PATH} and ${LOOKUP_PATH}, for example 3 leads for 3 credits:`,
		`  curl -s ${baseUrl}${SEARCH_PATH} -H 'Content-Type: application/json' ${authorization} -d '{"_per_page":3}'`,
		'',
		'Stop with Ctrl+C.',
	];
	console.log(lines.join('\n'));
}

main().catch((error: unknown) => {
	const { code, port, message } = error as Error & { code?: unknown; port?: number };
	const taken = `Port ${port} is taken. Choose another one with --port, or leave it out for a free one.`;
	console.error(code === 'EADDRINUSE' ? taken : message);
	process.exitCode = 1;
});
