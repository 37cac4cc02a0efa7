import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Resolves one parameter for an input item. */
type Resolve = (item: number) => unknown;

/** An expression that is nothing but a field of the input item. */
const FIELD_OF_ITEM = /^=\{\{\s*\$json(?:\.([A-Za-z_]\w*)|\[(["'])([^"'\\]+)\2\])\s*\}\}$/;

/**
 * Returns the resolved value of a parameter for an input item, as `getNodeParameter` does, and
 * throws what it throws. n8n evaluates each expression in a sandbox, which for 10,000 input items
 * takes longer than fetching their profiles. So a parameter without an expression is resolved once
 * for all items, and a text field of the item is taken from the item itself. Not of a single item: the
 * input of an AI agent's tool is one, and is not what its expressions mean.
 */
export function parameterReader(
	context: Pick<IExecuteFunctions, 'getNode' | 'getInputData' | 'getNodeParameter'>,
): (name: string, item: number) => unknown {
	const items = context.getInputData();
	const resolve = (name: string, item: number): unknown =>
		context.getNodeParameter(name, item, undefined);
	const readers = new Map(
		Object.entries(context.getNode().parameters).map(([name, written]) => [
			name,
			shortened(written, items, (item) => resolve(name, item)),
		]),
	);
	return (name, item) => {
		const read = readers.get(name);
		return read ? read(item) : resolve(name, item);
	};
}

function shortened(written: unknown, items: INodeExecutionData[], resolve: Resolve): Resolve {
	if (!hasExpression(written)) return once(resolve);
	const field = typeof written === 'string' ? fieldOfItem(written) : undefined;
	if (field === undefined || items.length < 2) return resolve;
	return (item) => {
		const value = items[item]?.json[field];
		return typeof value === 'string' ? value : resolve(item);
	};
}

function hasExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	if (typeof written !== 'object' || written === null) return false;
	return Object.values(written).some(hasExpression);
}

function fieldOfItem(expression: string): string | undefined {
	const [, dotted, , bracketed] = FIELD_OF_ITEM.exec(expression) ?? [];
	return dotted ?? bracketed;
}

function once(resolve: Resolve): Resolve {
	let resolved: { value: unknown } | undefined;
	return (item) => (resolved ??= { value: resolve(item) }).value;
}
