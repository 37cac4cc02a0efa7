import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type {
	ErrorAnswer,
	LookupAnswer,
	LookupRequest,
	PreviewAnswer,
	PreviewRequest,
	SearchAnswer,
	SearchRequest,
} from './types';
import * as schemas from './schemas';

const ajv = addFormats(new Ajv(), { mode: 'fast', formats: ['email', 'uri'] });

/** The request schemas, compiled once. Each is a type guard that leaves its `errors` behind. */
export const requestChecks = {
	preview: ajv.compile<PreviewRequest>(schemas.previewRequest),
	search: ajv.compile<SearchRequest>(schemas.searchRequest),
	lookup: ajv.compile<LookupRequest>(schemas.lookupRequest),
};

/** The answer schemas, compiled once: the service holds itself to the contract, too. */
export const answerChecks = {
	preview: ajv.compile<PreviewAnswer>(schemas.previewAnswer),
	search: ajv.compile<SearchAnswer>(schemas.searchAnswer),
	lookup: ajv.compile<LookupAnswer>(schemas.lookupAnswer),
	error: ajv.compile<ErrorAnswer>(schemas.errorAnswer),
};

/** What the last check of this kind complained about, for a person to read. */
export function complaints(check: ValidateFunction, subject: string): string {
	return ajv.errorsText(check.errors, { dataVar: subject });
}
