import { isSessionToken, readCredential } from '../api/authentication';
import { readBaseUrl } from './baseUrl';
import { InvalidParameterError } from './invalidParameter';
import { readWholeNumber } from './parameter';

/**
 * Checks the values of the credential before anything is sent with it.
 *
 * @returns the address, and Credit Ceiling; Infinity without
 * @throws InvalidParameterError
 */
export function checkCredential(values: Record<string, unknown>): {
	baseUrl: string;
	ceiling: number;
} {
	const credential = readCredential(values);
	const baseUrl = readBaseUrl(values.baseUrl);
	if (!/^[\x21-\x7e]+$/.test(credential.secret)) {
		const label = isSessionToken(credential) ? 'Session Token' : 'API Key';
		const hasNone = credential.secret === '';
		throw new InvalidParameterError(
			label,
			hasNone ? 'is empty' : 'holds a space, a line break or a character that no key has',
			`Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	const ceiling = readWholeNumber('Credit Ceiling', values.creditCeiling ?? 0, { min: 0 });
	return { baseUrl, ceiling: ceiling === 0 ? Infinity : ceiling };
}
