/** Asks a real service, with a key from LEAD_SEARCH_API_KEY, or typed without being shown. */
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';

import type { Json } from '../../nodes/LeadSearch/api/contract';
import { readBaseUrl } from '../../nodes/LeadSearch/parameters/baseUrl';
import { BUDGET, probe } from './probe';

const USAGE = 'npm run probe -- <base URL> [filters as JSON, which more than three leads fit]';

async function main(): Promise<void> {
	const [address, filters = '{}'] = process.argv.slice(2);
	if (address === undefined) throw new TypeError(USAGE);
	const baseUrl = readBaseUrl(address);
	const chosen = JSON.parse(filters) as Json;
	process.stdout.write(
		`This asks ${baseUrl} some 15 questions: searches, and lookups of 2 profiles.\n` +
			`They spend at most ${BUDGET} credits; should the service return more rows than it is\n` +
			'asked for, it may charge those too, and the questions end there. No lead is printed.\n',
	);
	if (!/^y(es)?$/i.test(await typed('Go on? (y/N) ', true))) return;
	const key = process.env.LEAD_SEARCH_API_KEY ?? (await typed('API key (not shown): ', false));
	const { report } = await probe(baseUrl, key.trim(), chosen);
	process.stdout.write(`\n${report}`);
}

/** Asks a person for a line; '' where there is nobody. */
async function typed(question: string, isShown: boolean): Promise<string> {
	process.stdout.write(question);
	const lines = createInterface({
		input: process.stdin,
		// Without an output, a terminal shows nothing of what is typed.
		output: isShown ? process.stdout : undefined,
		terminal: process.stdin.isTTY,
	});
	const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
	lines.close();
	if (!isShown) process.stdout.write('\n');
	return line ?? '';
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
