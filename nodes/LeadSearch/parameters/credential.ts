import { readCredential } from '../api/authentication';
import { readBaseUrl } from './baseUrl';
import { InvalidParameterError, formatValue } from './invalidParameter';
import { readWholeNumber } from './parameter';

/**
 * Checks the fields of the credential `leadSearchApi`, after n8n has evaluated its expressions. It returns the Credit
 * Ceiling as `ceiling`, which is Infinity if there is no limit.
 *
 * @throws InvalidParameterError if a field can't be used
 */
export function checkCredential(values: Record<string, unknown>) {
	const { authentication, secret } = readCredential(values);
	if (Object.hasOwn(values, 'authentication') && values.authentication !== authentication) {
		throw new InvalidParameterError(
			'Authentication',
			`is ${formatValue(values.authentication)}, which isn't one of its options`,
			"Choose an option from the list. An expression must return 'bearer', 'xApiKey' or 'sessionToken'.",
		);
	}
	const baseUrl = readBaseUrl(values.baseUrl);
	if (!/^[\x21-\x7e]+$/.test(secret)) {
		const label = authentication === 'sessionToken' ? 'Session Token' : 'API Key';
		throw new InvalidParameterError(
			label,
			secret === ''
				? 'is empty'
				: 'contains a space, a line break or a character that keys never contain',
			values.mayVaryByItem === true
				? 'Check the expression in the credential: this is what it returns here.'
				: `Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	// An empty string is a field that the user left empty. Undefined or null comes from a wrong expression.
	const written = values.creditCeiling;
	const hasNoCeiling = !Object.hasOwn(values, 'creditCeiling') || written === '';
	const ceiling = hasNoCeiling ? 0 : readWholeNumber('Credit Ceiling', written, { min: 0 });
	// 0 means no ceiling, too: earlier versions saved 0 for an empty field.
	return { authentication, secret, baseUrl, ceiling: ceiling === 0 ? Infinity : ceiling };
}
