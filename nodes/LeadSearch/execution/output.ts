import { deepCopy } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { ErrorText } from '../messages/failures';
import type { Hint } from '../messages/hint';
import { locateItems } from '../messages/inputItem';
import { invalidItemsError, formatInvalid, type InvalidItem } from '../messages/nodeErrors';
import type { OutputRows } from '../resources/operation';
import type { Environment } from './environment';

/** n8n's AI Agent shows a model at most this many characters of a tool's result. */
const MAX_AGENT_CHARACTERS = 200_000;

/**
 * Collects the output items of a run. Each one is paired with exactly one input item: otherwise, n8n guesses a pair,
 * and may guess wrong.
 */
export class Output {
	/** The items of the first output, by the index of their input item. */
	private readonly items: INodeExecutionData[][] = [];
	/** The items of the output 'Not Found'. If the node has only one output, this is the array `items` itself. */
	private readonly notFound: INodeExecutionData[][];
	readonly failed = new Set<number>();

	constructor(private readonly environment: Environment) {
		this.notFound = environment.hasSecondOutput ? [] : this.items;
	}

	add(entries: readonly OutputRows[], usage?: Json): void {
		for (const { item, json, isNotFound } of entries) {
			const added = ((isNotFound ? this.notFound : this.items)[item] ??= []);
			// A value from JSON.parse is always an IDataObject of n8n.
			json.forEach((row) => {
				const fields = usage ? { ...row, usage: { ...usage } } : row;
				added.push({ json: fields as IDataObject, pairedItem: { item } });
			});
		}
	}

	addError(item: number, { message, description, details }: ErrorText): void {
		this.failed.add(item);
		// n8n treats an item with exactly these fields as an error. The details are copied, because several items
		// share them, the cache contains their rows, and later nodes can change them.
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

	/** @throws NodeOperationError if On Error is Stop Workflow and there is an invalid item */
	rejectItems(invalidItems: readonly InvalidItem[]): void {
		if (invalidItems.length === 0) return;
		const { node, inputItems, continuesOnFail } = this.environment;
		const inputs = inputItems.map(({ json }) => json);
		if (!continuesOnFail) throw invalidItemsError(node, invalidItems, inputs);
		for (const { item, thrown } of invalidItems)
			this.addError(item, formatInvalid(thrown, locateItems([item], inputs)));
	}

	get isEmpty(): boolean {
		return [this.items, this.notFound].every((items) => items.every(({ length }) => length === 0));
	}

	/**
	 * Adds an item with the texts of hints for an agent, because agents don't see n8n's hints. It is the last item,
	 * or the first one if n8n truncates the result.
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

	outputs(): INodeExecutionData[][] {
		return [...new Set([this.items, this.notFound])].map((items) => items.flat());
	}
}
