/** Collects output items by the input item that they belong to. */
import { deepCopy } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { ErrorText } from '../messages/failures';
import type { Hint } from '../messages/hints';
import { invalidItemsError, formatInvalid, type InvalidItem } from '../messages/nodeErrors';
import type { OutputRows } from '../resources/operation';
import { continuesOnFail } from './n8n';

/** Characters of a tool's result that n8n's AI Agent shows to a model. */
const MAX_AGENT_CHARACTERS = 200_000;

/** Every item is paired with exactly one input item: n8n guesses where it is not told, and guesses wrong. */
export class Output {
	/** Items of the first and of the second output, by input item. */
	private readonly items: INodeExecutionData[][] = [];
	private readonly notFound: INodeExecutionData[][];
	/** Input items that got an item that says what went wrong. */
	readonly failed = new Set<number>();

	constructor(private readonly context: IExecuteFunctions) {
		const ownOutputs = context
			.getNodeOutputs()
			.filter(({ type, category }) => type === 'main' && category !== 'error');
		this.notFound = ownOutputs.length > 1 ? [] : this.items;
	}

	/** @param usage what the run cost, to be said in each item */
	add(entries: readonly OutputRows[], usage?: Json): void {
		for (const { item, json, isNotFound } of entries) {
			const added = ((isNotFound ? this.notFound : this.items)[item] ??= []);
			// What comes from JSON.parse is what n8n calls an IDataObject.
			for (const row of json) {
				const fields = usage ? { ...row, usage: { ...usage } } : row;
				added.push({ json: fields as IDataObject, pairedItem: { item } });
			}
		}
	}

	addError(item: number, { message, description, details }: ErrorText): void {
		this.failed.add(item);
		// An item with exactly these fields is an error to n8n, and keeps both texts.
		// Later nodes may change it: several items have the same, and rows in it are kept.
		const own = details && { details: deepCopy(details) };
		const json = { error: message, message: description, ...own };
		const { parameters, onError } = this.context.getNode();
		// On an error output n8n adds them, and takes an item with other fields for a lead.
		const isWithFields =
			onError === 'continueRegularOutput' && parameters.includeInputFields === true;
		const input = isWithFields ? this.context.getInputData()[item]?.json : {};
		this.add([{ item, json: [{ ...input, ...json }] }]);
	}

	/** Puts out an error item for each input item that can't be used; nothing was sent for them. @throws NodeOperationError under Stop Workflow, for all of them */
	rejectItems(refused: readonly InvalidItem[]): void {
		// Which item it was is told where there are several.
		const isOnly = this.context.getInputData().length === 1;
		if (refused.length > 0 && !continuesOnFail(this.context))
			throw invalidItemsError(this.context.getNode(), refused, isOnly);
		for (const { item, thrown } of refused)
			this.addError(item, formatInvalid(thrown, isOnly ? undefined : item));
	}

	/** Whether nothing is put out. */
	get isEmpty(): boolean {
		return [this.items, this.notFound].every((items) => items.flat().length === 0);
	}

	/**
	 * Tells an agent, which sees no hints, what people read in them: in the last item, but in the first item where n8n
	 * cuts the result.
	 *
	 * @param usage what the call cost, in numbers; undefined where it can cost nothing
	 */
	note(texts: Hint[], usage: Json | undefined): void {
		const entries = this.items.flat().map(({ json }) => json);
		let credits = MAX_AGENT_CHARACTERS;
		const read = entries.findIndex((json) => (credits -= JSON.stringify(json).length + 1) < 0);
		const errors = entries.flatMap(({ error, message }) =>
			typeof error === 'string' && typeof message === 'string' ? [`${error}. ${message}`] : [],
		);
		const isCut = read >= 0;
		const sentences = [
			isCut &&
				`This result is longer than n8n shows to an agent: about the first ${read} of ${entries.length - errors.length} rows can be read. Ask for fewer at once, or choose fewer fields under 'Output'.`,
			...(isCut ? errors : []),
			...new Set(texts),
		].flatMap((text) => (text ? [text.endsWith('.') ? text : `${text}.`] : []));
		if (sentences.length === 0 && !usage) return;
		const item = isCut ? 0 : Math.max(0, this.items.length - 1);
		const fields = {
			...(sentences.length > 0 && { note: sentences.join(' ') }),
			...(usage && { usage }),
		};
		const note = { json: fields as IDataObject, pairedItem: { item } };
		const ofItem = this.items[item] ?? [];
		this.items[item] = isCut ? [note, ...ofItem] : [...ofItem, note];
	}

	/** Whether n8n takes the run for a failed run, as it does by its first item. */
	startsWithError(): boolean {
		const { error } = this.items.flat()[0]?.json ?? {};
		return error !== undefined && error !== null && error !== false;
	}

	outputs(): INodeExecutionData[][] {
		return [...new Set([this.items, this.notFound])].map((items) => items.flat());
	}
}
