/** Collects output items by the input item that they belong to. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../api/contract';
import type { ErrorText } from '../messages/failures';
import type { Hint } from '../messages/hints';
import { asOperationError, formatInvalid } from '../messages/nodeErrors';
import type { Entry } from '../resources/operation';
import { continuesOnFail } from './n8n';

/** Characters of a tool's result that n8n shows to an agent: 50,000 tokens of about 4. */
const READ_BY_AGENTS = 200_000;

/** Every item is paired explicitly: n8n guesses where it is not, and guesses wrong. */
export class Output {
	/** Items of the first and of the second output, by input item. */
	private readonly found: INodeExecutionData[][] = [];
	private readonly notFound: INodeExecutionData[][];
	/** Input items that got an item that says what went wrong. */
	readonly failed = new Set<number>();

	constructor(private readonly context: IExecuteFunctions) {
		const ownOutputs = context
			.getNodeOutputs()
			.filter(({ type, category }) => type === 'main' && category !== 'error');
		this.notFound = ownOutputs.length > 1 ? [] : this.found;
	}

	/** @param usage what the run cost, to be said in each item */
	add(entries: Entry[], usage?: Json): void {
		for (const { items, json, isNotFound } of entries) {
			const [first = 0] = items;
			const pairedItem = items.length > 1 ? items.map((item) => ({ item })) : { item: first };
			const added = ((isNotFound ? this.notFound : this.found)[first] ??= []);
			// What comes from JSON.parse is what n8n calls an IDataObject.
			for (const one of json) {
				const told = usage ? { ...one, usage: { ...usage } } : one;
				added.push({ json: told as IDataObject, pairedItem });
			}
		}
	}

	addError(item: number, { message, description, details }: ErrorText): void {
		this.failed.add(item);
		// By `error` and `message` alone every n8n from 1.x on tells an error, and keeps both.
		const json = { error: message, message: description, ...(details && { details }) };
		this.add([{ items: [item], json: [json] }]);
	}

	/** Tells what can't be used: nothing was sent for these items. @throws NodeOperationError under Stop Workflow */
	refuse(items: number[], thrown: unknown): void {
		// Which item it was is told where there are several.
		const isOnly = this.context.getInputData().length === 1;
		for (const item of items) {
			const told = isOnly ? undefined : item;
			if (!continuesOnFail(this.context))
				throw asOperationError(this.context.getNode(), thrown, told);
			this.addError(item, formatInvalid(thrown, told));
		}
	}

	/** Whether nothing is put out. */
	get isEmpty(): boolean {
		return [this.found, this.notFound].every((items) => items.flat().length === 0);
	}

	/**
	 * Tells an agent, which sees no hints, what people read in them: in the last item, but in the first one where n8n
	 * cuts the result.
	 */
	note(texts: Hint[]): void {
		const all = this.found.flat().map(({ json }) => json);
		let left = READ_BY_AGENTS;
		const read = all.findIndex((json) => (left -= JSON.stringify(json).length + 1) < 0);
		const errors = all.flatMap(({ error, message }) =>
			typeof error === 'string' && typeof message === 'string' ? [`${error}. ${message}`] : [],
		);
		const isCut = read >= 0;
		const sentences = [
			isCut &&
				`This result is longer than n8n shows to an agent: about the first ${read} of ${all.length - errors.length} rows can be read. Ask for fewer at once, or choose fewer fields under 'Output'.`,
			...(isCut ? errors : []),
			...new Set(texts),
		].flatMap((text) => (text ? [text.endsWith('.') ? text : `${text}.`] : []));
		if (sentences.length === 0) return;
		const item = isCut ? 0 : Math.max(0, this.found.length - 1);
		const note = { json: { note: sentences.join(' ') }, pairedItem: { item } };
		const others = this.found[item] ?? [];
		this.found[item] = isCut ? [note, ...others] : [...others, note];
	}

	/** Whether n8n takes the run for one that failed, as it does by its first item. */
	beginsWithError(): boolean {
		const { error } = this.found.flat()[0]?.json ?? {};
		return error !== undefined && error !== null && error !== false;
	}

	outputs(): INodeExecutionData[][] {
		return [...new Set([this.found, this.notFound])].map((items) => items.flat());
	}
}
