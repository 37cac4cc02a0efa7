import Ajv from 'ajv';
import addFormats from 'ajv-formats';

const ajv = addFormats(new Ajv({ discriminator: true, strictTuples: false }), {
	mode: 'fast',
	formats: ['email', 'uri'],
});

/** A function that tells, for a person to read, what of a value doesn't fit the schema, if anything. */
export function checker(schema: object, subject: string): (value: unknown) => string | undefined {
	const fits = ajv.compile(schema);
	return (value) => (fits(value) ? undefined : ajv.errorsText(fits.errors, { dataVar: subject }));
}
