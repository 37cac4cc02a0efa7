/** What a poll says: in n8n's log, and as errors. */
import type { IPollFunctions } from 'n8n-workflow';

import { CONSEQUENCES, type Failure } from '../api/failures';
import type { Log } from '../execution/log';
import { formatFailure, type Circumstances, type ErrorText } from '../messages/failures';
import { asNodeError } from '../messages/nodeErrors';
import { formatNextPoll, formatOld } from '../messages/polls';
import type { Fetched } from './fetch';
import type { Occasion } from './occasion';

/** @returns what went wrong in a poll, for people; undefined where nothing did */
export function textOf(
	{ failure, old, rows }: Fetched,
	where: Pick<Circumstances, 'endpoint' | 'baseUrl' | 'sessionToken' | 'timeoutMs'>,
): ErrorText | undefined {
	if (failure) return formatFailure(failure, { ...where, fetched: rows.length, isPoll: true });
	return old > 0 ? formatOld(old) : undefined;
}

/**
 * Says what went wrong: thrown where nothing came and nothing was charged, so that n8n waits with the next poll as
 * the error declares. With leads, what passes by itself is only logged: the next poll meets it again.
 */
export function tell(
	{ context, occasion, log }: { context: IPollFunctions; occasion: Occasion; log: Log },
	text: ErrorText,
	came: {
		failure: Failure | undefined;
		isNew: boolean;
		isSaved: boolean;
		row: number;
		hasLeads: boolean;
	},
): void {
	const { failure, isNew, isSaved, row, hasLeads } = came;
	const error = asNodeError(context.getNode(), text, { failure, item: 0 });
	const passes = failure !== undefined && passesByItself(failure);
	const isTest = occasion === 'test';
	if (hasLeads) log('warn', `${text.message}. ${formatNextPoll(row)}`, row);
	if (hasLeads && (isTest || passes)) return;
	// What is thrown at an activation ends it. n8n also publishes what it finds in need of repair, and then nobody looks.
	const isTold = occasion === 'publishing' && (passes || !isNew);
	const mayThrow = !hasLeads && !isSaved && !isTold;
	if (isTest || mayThrow) throw error;
	context.__emitError(error);
}

/** Whether nobody has to do anything for it to pass; n8n abandons a poll where the service is slow. */
function passesByItself({ kind }: Failure): boolean {
	return kind === 'cancelled' || CONSEQUENCES[kind].isRetried === true;
}
