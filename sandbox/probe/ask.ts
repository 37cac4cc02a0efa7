/** Asks a service, and sees to it that the answers cost no more than the probe may spend. */
import { ENDPOINTS, type Endpoint, type Page } from '../../nodes/LeadSearch/api/contract';
import { redactor } from '../../nodes/LeadSearch/api/redact';
import { readPage } from '../../nodes/LeadSearch/api/response';

/** Credits that a probe spends at most. */
export const BUDGET = 10;

const TIMEOUT_MILLISECONDS = 60_000;

/** What ends a probe early; the message is for people. */
export class Stopped extends Error {}

/** An answer, and what was asked for; no text of it holds the key. */
export interface Answer {
	page: number;
	size: number;
	status: number;
	/** The page as the node reads it; undefined where it finds none. */
	served: Page | undefined;
	/** The names of the body's fields; none where the body is a list. */
	fields: readonly string[];
	/** The field with the first list; null where the body is one. */
	listAt: string | null | undefined;
	text: string;
}

/** A request body; `_page` and `_per_page` are always named. */
export type Body = Readonly<Record<string, unknown>> & { _page: number; _per_page: number };

/** Asks one endpoint after the other; `most` is how many rows a service may return to the body. */
export type Ask = ReturnType<typeof askerOf>['ask'];

/** @param key the API key; it leaves this function in a header only */
export function askerOf(baseUrl: string, key: string) {
	let spent = 0;
	const redact = redactor([key]);

	async function ask(endpoint: Endpoint, body: Body, most: number): Promise<Answer> {
		const { path, costsCredits } = ENDPOINTS[endpoint];
		if (costsCredits && spent + most > BUDGET)
			throw new Stopped(`the next question may cost ${most}, and ${spent} credits are spent`);
		const response = await fetch(baseUrl + path, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...(costsCredits && { authorization: `Bearer ${key}` }),
			},
			body: JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
		}).catch((error: unknown) => {
			if (costsCredits) spent += most;
			throw new Stopped(redact(`${path} did not answer: ${String(error)}`));
		});
		const { status } = response;
		const text = redact(await response.text());
		if (![200, 400, 402, 404, 413, 422].includes(status))
			throw new Stopped(`${path} answered with status ${status}`);
		const json = parsed(text);
		if (status === 200 && json === undefined)
			throw new Stopped(`${path} answered with something else than JSON`);
		const reading = status === 200 && json ? readPage(json, endpoint) : undefined;
		const served = reading && 'value' in reading ? reading.value : undefined;
		// Rows under an unknown name may have been charged as well.
		if (costsCredits && status === 200) spent += served?.rows.length ?? most;
		const entries = Array.isArray(json) ? [] : Object.entries(json ?? {});
		const [listAt] = entries.find(([, value]) => Array.isArray(value)) ?? [];
		return {
			...{ page: body._page, size: body._per_page, status, served, text },
			fields: entries.map(([name]) => name),
			listAt: Array.isArray(json) ? null : listAt,
		};
	}

	return { ask, spent: () => spent };
}

function parsed(text: string): Record<string, unknown> | unknown[] | undefined {
	try {
		const json: unknown = JSON.parse(text);
		return typeof json === 'object' && json !== null ? (json as unknown[]) : undefined;
	} catch {
		return undefined;
	}
}
