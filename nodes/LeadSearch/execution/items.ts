/** Reads from the node's parameters what each input item requests. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { InvalidItem } from '../messages/nodeErrors';
import { hasExpression, resolveExpressions } from '../parameters/expression';
import { itemValues } from '../parameters/parameter';
import type { ItemRequest, LocalOperation } from '../resources/operation';
import { readCredentialAddress } from './apiAccess';
import type { Environment } from './environment';
import type { Output } from './output';

/**
 * Returns the requests of all valid input items. Input items with invalid parameters get error items in `output`.
 *
 * @throws NodeOperationError if parameters are invalid, and On Error is set to Stop Workflow
 */
export async function readItems<Request>(
	context: IExecuteFunctions,
	{ node, inputItems, isTool }: Environment,
	output: Output,
	operation: Pick<LocalOperation<Request>, 'read'>,
): Promise<Array<ItemRequest<Request>>> {
	const requests: Array<ItemRequest<Request>> = [];
	const { parameters } = node;
	const readParameter = createParameterReader(context);
	const invalidItems: InvalidItem[] = [];
	let address: string | undefined;
	try {
		address = await credentialAddress(context);
	} catch (thrown) {
		output.rejectItems(inputItems.map((_, item) => ({ item, thrown })));
		return [];
	}
	const valueOf = (name: string, item: number) => {
		const value = readParameter(name, item);
		const isEmptyUrl = name === 'baseUrl' && typeof value === 'string' && value.trim() === '';
		return isEmptyUrl ? (address ?? value) : value;
	};
	inputItems.forEach(({ json: input }, item) => {
		try {
			const values = itemValues(parameters, (name) => valueOf(name, item));
			requests.push({ item, input, request: operation.read(values, isTool) });
		} catch (thrown) {
			invalidItems.push({ item, thrown });
		}
	});
	output.rejectItems(invalidItems);
	return requests;
}

/**
 * Returns the credential's Base URL, which replaces an empty parameter Base URL. An expression can return an empty
 * string, too.
 */
async function credentialAddress(context: IExecuteFunctions): Promise<string | undefined> {
	const { baseUrl } = context.getNode().parameters;
	const canBeEmpty =
		typeof baseUrl === 'string' && (baseUrl.trim() === '' || hasExpression(baseUrl));
	const items = context.getInputData().map((_, item) => item);
	return canBeEmpty ? await readCredentialAddress(context, items) : undefined;
}

/** Matches an expression that is only a field of the input item: `{{ $json.url }}` or `{{ $json["Profile URL"] }}`. */
const ITEM_FIELD = /^\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\])\s*\}\}$/;

/**
 * Creates a function that evaluates a parameter for an input item. n8n evaluates each expression in a sandbox, which
 * takes longer than fetching profiles if there are 10,000 items. So a parameter without an expression is evaluated
 * once, and an expression that is only a field is read from the item.
 *
 * If there is only one input item, n8n evaluates every expression. A tool of an AI agent has one input item, and
 * `$json` in its expressions doesn't mean this item.
 */
function createParameterReader(
	context: IExecuteFunctions,
): (name: string, item: number) => unknown {
	const { parameters } = context.getNode();
	const items = context.getInputData();
	const cachedValues = new Map<string, unknown>();
	const evaluate = (template: string, item: number) => {
		const [, dotted = '', , field = dotted] = ITEM_FIELD.exec(template) ?? [];
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
