import { readCredential } from '../api/authentication';
import { readBaseUrl } from './baseUrl';
import { InvalidParameterError } from './invalidParameter';
import { readWholeNumber } from './parameter';

/** @returns a credential that can be used, its ceiling Infinity where none is set. @throws InvalidParameterError */
export function checkCredential(values: Record<string, unknown>) {
	const { authentication, secret } = readCredential(values);
	const baseUrl = readBaseUrl(values.baseUrl);
	if (!/^[\x21-\x7e]+$/.test(secret)) {
		const label = authentication === 'sessionToken' ? 'Session Token' : 'API Key';
		throw new InvalidParameterError(
			label,
			secret === '' ? 'is empty' : 'holds a space, a line break or a character that no key has',
			`Copy the ${label} from the lead service's dashboard into the credential.`,
		);
	}
	const ceiling = readWholeNumber('Credit Ceiling', values.creditCeiling ?? 0, { min: 0 });
	return { authentication, secret, baseUrl, ceiling: ceiling === 0 ? Infinity : ceiling };
}
