import { isSessionToken, type LeadSearchCredential } from '../api/authentication';
import { readBaseUrl } from './baseUrl';
import { InvalidParameterError } from './invalidParameter';
import { readWholeNumber } from './parameter';

/**
 * Checks the credential before anything is sent with it.
 *
 * @returns the address, and Credit Ceiling; Infinity without
 * @throws InvalidParameterError for what can't be used, with the label of its field
 */
export function checkCredential(credential: LeadSearchCredential): {
	baseUrl: string;
	ceiling: number;
} {
	const { secret, creditCeiling } = credential;
	const baseUrl = readBaseUrl(credential.baseUrl);
	if (!/^[\x21-\x7e]+$/.test(secret)) {
		const label = isSessionToken(credential) ? 'Session Token' : 'API Key';
		throw new InvalidParameterError(
			label,
			secret === '' ? 'is empty' : 'holds a space, a line break or a character that no key has',
			`Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	const ceiling = readWholeNumber('Credit Ceiling', creditCeiling, { min: 0 });
	return { baseUrl, ceiling: ceiling === 0 ? Infinity : ceiling };
}
