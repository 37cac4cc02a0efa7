/** Evaluates the expressions of a parameter for an input item. */
import { ExpressionParser } from 'n8n-workflow';

import { isObject } from '../api/contract';

/** Evaluates a template with expressions in double braces. A single expression keeps its type. */
export type Evaluate = (template: string) => unknown;

/**
 * Evaluates the expressions in a string, or in all strings of a collection or list. If one expression in a string
 * returns nothing, the whole string becomes undefined. n8n would insert an empty string, so each expression is also
 * evaluated alone.
 *
 * @param written the parameter as the workflow's JSON has it
 */
export function resolveExpressions(written: unknown, evaluate: Evaluate): unknown {
	if (typeof written === 'string')
		return isExpression(written) ? evaluateTemplate(written, evaluate) : written;
	if (Array.isArray(written)) return written.map((entry) => resolveExpressions(entry, evaluate));
	if (!isObject(written)) return written;
	const fields = Object.entries(written).map(([name, field]) => [
		name,
		resolveExpressions(field, evaluate),
	]);
	return Object.fromEntries(fields) as unknown;
}

export function hasExpression(written: unknown): boolean {
	if (typeof written === 'string') return isExpression(written);
	if (typeof written !== 'object' || written === null) return false;
	return Object.values(written).some(hasExpression);
}

function isExpression(written: string): boolean {
	return written.startsWith('=');
}

function evaluateTemplate(written: string, evaluate: Evaluate): unknown {
	const template = written.slice(1);
	const chunks = ExpressionParser.splitExpression(template);
	const codes = chunks.filter(({ type }) => type === 'code');
	const isAlone = chunks.every(({ type, text }) => type === 'code' || text.trim() === '');
	const values = codes.map((code) => evaluate(ExpressionParser.joinExpression([code])));
	if (values.length === 1 && isAlone) return values[0];
	return values.some(hasMissingValue) ? undefined : evaluate(template);
}

function hasMissingValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasMissingValue);
	return value === undefined || Number.isNaN(value);
}
