/** What is written into a parameter, and what comes of it for an input item. */
import { ExpressionParser } from 'n8n-workflow';

import { isObject } from '../api/contract';

/** Evaluates a text with expressions in double braces as n8n does: an expression alone keeps its type. */
export type Evaluate = (template: string) => unknown;

/**
 * Resolves what is written into a parameter: a text, or a collection or list of them. White space around
 * an expression changes nothing. Several in a text are looked at each alone, since n8n puts an empty
 * text in the place of an expression that gives nothing.
 *
 * @returns undefined for a text in which an expression gives nothing
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

/** Whether it, or anything in it, is for n8n to evaluate. */
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

/** What n8n makes an empty text of, among others. There, an array is its elements. */
function hasMissingValue(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(hasMissingValue);
	return value === undefined || Number.isNaN(value);
}
