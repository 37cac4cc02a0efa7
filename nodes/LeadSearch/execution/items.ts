/** Reads what the input items ask for. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { InvalidItem } from '../messages/nodeErrors';
import { hasExpression, resolveExpressions } from '../parameters/expression';
import { itemValues } from '../parameters/parameter';
import type { ItemRequest, LocalOperation } from '../resources/operation';
import { readCredentialAddress } from './apiAccess';
import { isTool } from './n8n';
import type { Output } from './output';

/** @returns what the input items ask for; those that ask for nothing usable are refused */
export async function readItems<Request>(
	context: IExecuteFunctions,
	output: Output,
	operation: Pick<LocalOperation<Request>, 'read'>,
): Promise<Array<ItemRequest<Request>>> {
	const requests: Array<ItemRequest<Request>> = [];
	const { parameters } = context.getNode();
	const isForTool = isTool(context);
	const readParameter = createParameterReader(context);
	const refused: InvalidItem[] = [];
	let address: string | undefined;
	try {
		address = await addressOfCredential(context);
	} catch (thrown) {
		output.rejectItems(context.getInputData().map((_, item) => ({ item, thrown })));
		return [];
	}
	const valueOf = (name: string, item: number) => {
		const value = readParameter(name, item);
		const isOpen = name === 'baseUrl' && typeof value === 'string' && value.trim() === '';
		return isOpen ? (address ?? value) : value;
	};
	context.getInputData().forEach(({ json: input }, item) => {
		try {
			const values = itemValues(parameters, (name) => valueOf(name, item));
			requests.push({ item, input, request: operation.read(values, isForTool) });
		} catch (thrown) {
			refused.push({ item, thrown });
		}
	});
	output.rejectItems(refused);
	return requests;
}

/** @returns the address of the credential, where the node's own Base URL is empty, or may be as an expression */
async function addressOfCredential(context: IExecuteFunctions): Promise<string | undefined> {
	const { baseUrl } = context.getNode().parameters;
	const mayBeOpen =
		typeof baseUrl === 'string' && (baseUrl.trim() === '' || hasExpression(baseUrl));
	const items = context.getInputData().map((_, item) => item);
	return mayBeOpen ? await readCredentialAddress(context, items) : undefined;
}

/** An expression that is nothing but a field of the input item. */
const FIELD_OF_ITEM = /^\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\])\s*\}\}$/;

/**
 * Resolves parameters. n8n evaluates each expression in a sandbox, which for 10,000 input items takes
 * longer than fetching their profiles. So a parameter without an expression is resolved once, and a text
 * field of the item is taken from the item. Not of a single item: the input of an AI agent's tool is
 * one, and is not what its expressions mean.
 */
function createParameterReader(
	context: IExecuteFunctions,
): (name: string, item: number) => unknown {
	const { parameters } = context.getNode();
	const items = context.getInputData();
	const cachedValues = new Map<string, unknown>();
	const evaluate = (template: string, item: number) => {
		const [, dotted = '', , field = dotted] = FIELD_OF_ITEM.exec(template) ?? [];
		const value = field === '' || items.length === 1 ? undefined : items[item]?.json[field];
		return typeof value === 'string' ? value : context.evaluateExpression(template, item);
	};
	return (name, item) => {
		if (cachedValues.has(name)) return cachedValues.get(name);
		const resolved = resolveExpressions(parameters[name], (template) => evaluate(template, item));
		if (!hasExpression(parameters[name])) cachedValues.set(name, resolved);
		return resolved;
	};
}
