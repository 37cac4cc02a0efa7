import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from '@sinclair/typebox';

const ajv = addFormats(new Ajv(), { mode: 'fast', formats: ['email', 'uri'] });

/** Compiles a schema into a type guard that leaves its `errors` behind. */
export function compile<T extends TSchema>(schema: T): ValidateFunction<Static<T>> {
	return ajv.compile(schema);
}

/** What a check found wrong the last time, for a person to read. */
export function violations(check: ValidateFunction, subject: string): string {
	return ajv.errorsText(check.errors, { dataVar: subject });
}
