/**
 * Already Looked Up: the profiles that a node bought in earlier executions, in n8n's own
 * deduplication store, by node id and the service's address. n8n records whatever is checked, so what
 * is new is taken back at once, and what was bought is recorded when its rows leave the node: an n8n
 * that dies while profiles are fetched remembers nothing that nobody got. Not for agents: they would
 * take what is left out for not found.
 */
import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';

import { hintNotRecorded } from '../messages/hints';
import { asInvalid, formatNoRecord } from '../messages/nodeErrors';
import type { ApiAccess } from './apiAccess';
import { executionIdOf, inTurn, isTool } from './n8n';

const OPTIONS: ICheckProcessedOptions = { mode: 'entries' };

/** So many comparisons of what is removed with what is recorded take 0.2 s, in which n8n does nothing else. */
const MAX_COMPARISONS = 20_000_000;

/** Where it stands what a try has recorded that n8n may have dropped. */
const CONTEXT_KEY = 'recordedByTry';

/** @returns those of the normalised URLs that earlier executions bought. @throws NodeOperationError where n8n can't tell */
export async function findBought(
	context: IExecuteFunctions,
	{ baseUrl }: Pick<ApiAccess, 'baseUrl'>,
	urls: ReadonlySet<string>,
): Promise<Set<string>> {
	if (isTool(context)) return new Set();
	const { helpers } = context;
	const note = `Lead Search: checking which of ${urls.size} profiles were bought before`;
	// It can take long.
	if (urls.size > 10_000) context.logger.info(note);
	try {
		return await inTurnOf(context, async () => {
			await forgetDroppedTry(context);
			if (urls.size === 0) return new Set();
			if ((await helpers.getProcessedDataCount('node', OPTIONS)) === 0) return new Set();
			const entries = entriesOf(baseUrl, urls);
			const checked = await helpers.checkProcessedAndRecord(entries, 'node', OPTIONS);
			await remove(context, checked.new.map(String));
			return new Set(checked.processed.map((entry) => String(entry).slice(baseUrl.length + 1)));
		});
	} catch (thrown) {
		throw asInvalid(context.getNode(), formatNoRecord(thrown));
	}
}

/**
 * Remembers what leaves the node, as normalised URLs. It is paid for, so that nothing here may end the run.
 *
 * @param isDelivered whether n8n passes the output on; else the next try takes them back
 * @returns a warning where n8n can't
 */
export async function recordBought(
	context: IExecuteFunctions,
	api: Pick<ApiAccess, 'baseUrl' | 'isCancelled'>,
	urls: ReadonlySet<string>,
	isDelivered: boolean,
): Promise<string | undefined> {
	if (urls.size === 0 || isTool(context) || api.isCancelled()) return undefined;
	const entries = entriesOf(api.baseUrl, urls);
	try {
		await inTurnOf(context, async () => {
			const checked = await context.helpers.checkProcessedAndRecord(entries, 'node', OPTIONS);
			// What another execution has recorded meanwhile is not taken back.
			const recorded = { run: runKey(context), entries: checked.new.map(String) };
			if (api.isCancelled()) await remove(context, recorded.entries);
			else if (!isDelivered) context.getContext('node')[CONTEXT_KEY] = recorded;
		});
		return undefined;
	} catch (thrown) {
		return hintNotRecorded(urls.size, thrown);
	}
}

/** The try that follows is to deliver all that n8n dropped of the one before. */
async function forgetDroppedTry(context: IExecuteFunctions): Promise<void> {
	const data = context.getContext('node');
	const recorded = data[CONTEXT_KEY] as { run: string; entries: string[] } | undefined;
	if (recorded?.run === runKey(context)) await remove(context, recorded.entries);
	Reflect.deleteProperty(data, CONTEXT_KEY);
}

async function remove({ helpers }: IExecuteFunctions, entries: string[]): Promise<void> {
	const recorded = await helpers.getProcessedDataCount('node', OPTIONS);
	const atOnce = Math.max(1, Math.floor(MAX_COMPARISONS / Math.max(1, recorded)));
	for (let from = 0; from < entries.length; from += atOnce) {
		await helpers.removeProcessed(entries.slice(from, from + atOnce), 'node', OPTIONS);
	}
}

/** What a check records for a moment is not to be found by another one. */
async function inTurnOf<T>(context: IExecuteFunctions, use: () => Promise<T>): Promise<T> {
	return await inTurn(`store of ${context.getWorkflow().id ?? ''} ${context.getNode().id}`, use);
}

/** The same for all tries of one run of the node. */
function runKey(context: IExecuteFunctions): string {
	const { $runIndex } = context.getWorkflowDataProxy(0);
	return `${executionIdOf(context)} ${String($runIndex)}`;
}

/** Another service has other profiles. */
function entriesOf(baseUrl: string, urls: Iterable<string>): string[] {
	return [...urls].map((url) => `${baseUrl} ${url}`);
}
