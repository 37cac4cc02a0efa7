import { InvalidParameterError } from '../../nodes/LeadSearch/parameters/invalidParameter';

/** @throws Error where a parameter is taken that should be refused */
export function refusalOf(reading: () => unknown): InvalidParameterError {
	try {
		reading();
	} catch (thrown) {
		if (thrown instanceof InvalidParameterError) return thrown;
		throw thrown;
	}
	throw new Error('was taken');
}
