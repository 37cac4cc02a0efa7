/** Reads what the input items ask for, and tells those that ask for nothing usable. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { asOperationError, formatInvalidItem } from '../messages/nodeErrors';
import { itemValues, type ParameterValues } from '../parameters/parameter';
import type { ItemRequest } from '../resources/operation';
import { isTool } from './n8n';
import type { Output } from './output';
import { parameterReader } from './parameterReader';

/** Whether what goes wrong for an item becomes an item; as a tool, always. */
export function continuesOnFail(context: IExecuteFunctions): boolean {
	return context.continueOnFail() || isTool(context);
}

/**
 * @returns what the input items ask for; those that ask for nothing usable are told
 * @throws NodeOperationError for the first of the latter, with On Error set to Stop Workflow
 */
export function readItems<Request>(
	context: IExecuteFunctions,
	output: Output,
	read: (values: ParameterValues) => Request,
): Array<ItemRequest<Request>> {
	const requests: Array<ItemRequest<Request>> = [];
	const { parameters } = context.getNode();
	const readParameter = parameterReader(context);
	context.getInputData().forEach(({ json: input }, item) => {
		try {
			const values = itemValues(parameters, (name) => readParameter(name, item));
			requests.push({ item, input, request: read(values) });
		} catch (thrown) {
			refuse(context, output, [item], thrown);
		}
	});
	return requests;
}

/**
 * Tells what can't be used for input items: nothing was sent for them.
 *
 * @throws NodeOperationError with On Error set to Stop Workflow
 */
export function refuse(
	context: IExecuteFunctions,
	output: Output,
	items: number[],
	thrown: unknown,
): void {
	// Which item it was is told where there are several.
	const isOnly = context.getInputData().length === 1;
	const [first = 0] = items;
	if (!continuesOnFail(context))
		throw asOperationError(context.getNode(), thrown, isOnly ? undefined : first);
	for (const item of items)
		output.addError(item, formatInvalidItem(thrown, isOnly ? undefined : item));
}
