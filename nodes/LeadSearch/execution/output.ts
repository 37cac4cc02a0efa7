/** Collects output items by their input items. */
import { deepCopy } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { ErrorText } from '../messages/failures';
import type { Hint } from '../messages/hints';
import { invalidItemsError, formatInvalid, type InvalidItem } from '../messages/nodeErrors';
import type { OutputRows } from '../resources/operation';
import type { Environment } from './environment';

/** The most characters of a tool's result that n8n's AI Agent shows to a model. */
const MAX_AGENT_CHARACTERS = 200_000;

/**
 * The output of the node. Each output item is paired with exactly one input item: n8n guesses missing pairs, and
 * guesses wrong.
 */
export class Output {
	/** Items of the first output, by input item. */
	private readonly items: INodeExecutionData[][] = [];
	/** Items of the second output. If the node has one output, this is the same array. */
	private readonly notFound: INodeExecutionData[][];
	/** Input items that have an error item. */
	readonly failed = new Set<number>();

	constructor(private readonly environment: Environment) {
		this.notFound = environment.hasSecondOutput ? [] : this.items;
	}

	/** Adds items. @param usage the cost of the run, which is added to each item */
	add(entries: readonly OutputRows[], usage?: Json): void {
		for (const { item, json, isNotFound } of entries) {
			const added = ((isNotFound ? this.notFound : this.items)[item] ??= []);
			// A value from JSON.parse is always an IDataObject of n8n.
			for (const row of json) {
				const fields = usage ? { ...row, usage: { ...usage } } : row;
				added.push({ json: fields as IDataObject, pairedItem: { item } });
			}
		}
	}

	/** Adds an error item. */
	addError(item: number, { message, description, details }: ErrorText): void {
		this.failed.add(item);
		// n8n treats an item with exactly these fields as an error, and keeps both texts. The details are copied, because several
		// items share them, the cache contains their rows, and later nodes can change them.
		const copiedDetails = details && { details: deepCopy(details) };
		const json = { error: message, message: description, ...copiedDetails };
		const { node, inputItems } = this.environment;
		const { parameters, onError } = node;
		// For an error output, n8n adds the fields itself, and treats an item with other fields as a lead.
		const includesFields =
			onError === 'continueRegularOutput' && parameters.includeInputFields === true;
		const input = includesFields ? inputItems[item]?.json : {};
		this.add([{ item, json: [{ ...input, ...json }] }]);
	}

	/**
	 * Adds an error item for each invalid input item. Nothing was sent for them.
	 *
	 * @throws NodeOperationError under Stop Workflow, with all invalid items
	 */
	rejectItems(invalidItems: readonly InvalidItem[]): void {
		// The message names the item only if there are several.
		const { node, inputItems, continuesOnFail } = this.environment;
		const isOnly = inputItems.length === 1;
		if (invalidItems.length > 0 && !continuesOnFail)
			throw invalidItemsError(node, invalidItems, isOnly);
		for (const { item, thrown } of invalidItems)
			this.addError(item, formatInvalid(thrown, isOnly ? undefined : item));
	}

	/** Whether there are no items. */
	get isEmpty(): boolean {
		return [this.items, this.notFound].every((items) => items.flat().length === 0);
	}

	/**
	 * Adds hints for an agent as an item, because agents don't see hints. It is the last item, or the first item if n8n
	 * truncates the result.
	 *
	 * @param usage the cost of the call in numbers; undefined for a free operation
	 */
	note(texts: Hint[], usage: Json | undefined): void {
		const entries = this.items.flat().map(({ json }) => json);
		let remaining = MAX_AGENT_CHARACTERS;
		const readable = entries.findIndex(
			(json) => (remaining -= JSON.stringify(json).length + 1) < 0,
		);
		const errors = entries.flatMap(({ error, message }) =>
			typeof error === 'string' && typeof message === 'string' ? [`${error}. ${message}`] : [],
		);
		const isTruncated = readable >= 0;
		const sentences = [
			isTruncated &&
				`n8n truncates this result, because it is too long for an agent: about the first ${readable} of ${entries.length - errors.length} rows can be read. Request fewer rows per call, or choose fewer fields under 'Output'.`,
			...(isTruncated ? errors : []),
			...new Set(texts),
		].flatMap((text) => (text ? [text.endsWith('.') ? text : `${text}.`] : []));
		if (sentences.length === 0 && !usage) return;
		const item = isTruncated ? 0 : Math.max(0, this.items.length - 1);
		const fields = {
			...(sentences.length > 0 && { note: sentences.join(' ') }),
			...(usage && { usage }),
		};
		const note = { json: fields as IDataObject, pairedItem: { item } };
		const itemsBefore = this.items[item] ?? [];
		this.items[item] = isTruncated ? [note, ...itemsBefore] : [...itemsBefore, note];
	}

	/** Whether n8n treats the run as failed. n8n decides this by the first item. */
	startsWithError(): boolean {
		const { error } = this.items.flat()[0]?.json ?? {};
		return error !== undefined && error !== null && error !== false;
	}

	outputs(): INodeExecutionData[][] {
		return [...new Set([this.items, this.notFound])].map((items) => items.flat());
	}
}
